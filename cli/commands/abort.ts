import { Command } from "commander";
import { sendRequest, type RequestOptions, withRequestOptions } from "./request.ts";

export function abortCommand(): Command {
  const command = new Command("abort").description(
    "Requests that the canary in flight is rolled back, in its next check. Its version is not tried again and does not count " +
      "towards the circuit. The exit code is 1 if no canary is in flight.",
  );
  return withRequestOptions(command)
    .addHelpText("after", "\nExample:\n  pawl abort shop/web")
    .action((workload: string, options: RequestOptions) =>
      sendRequest(workload, { verb: "abort", argument: null }, options),
    );
}
