import { Command } from "commander";
import { sendRequest, type RequestOptions, withRequestOptions } from "./request.ts";

type Options = RequestOptions & { readonly forgetFailed?: true };

export function resetCommand(): Command {
  const command = new Command("reset").description(
    "Requests that the circuit of a workload is closed and its rollback count set to 0, so that updates are tried again. Failed " +
      "versions stay excluded without --forget-failed; to try only these again, use pawl retry. The exit code is 1 if there is " +
      "nothing to reset.",
  );
  return withRequestOptions(command)
    .option("--forget-failed", "also allow failed versions again")
    .addHelpText("after", "\nExample:\n  pawl reset shop/web --forget-failed")
    .action((workload: string, { forgetFailed, ...options }: Options) =>
      sendRequest(workload, { verb: "reset", argument: forgetFailed ? "failed" : null }, options),
    );
}
