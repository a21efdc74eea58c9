import { Command } from "commander";
import { sendRequest, type RequestOptions, withRequestOptions } from "./request.ts";

export function retryCommand(): Command {
  const command = new Command("retry").description(
    "Requests that a failed version, or every one, is tried again, and that an image which a person set is no longer held: " +
      "any newer version is applied. The circuit and the rollback count stay; pawl reset is for these.",
  );
  return withRequestOptions(command)
    .argument("[version]", "a failed version (default: all)")
    .addHelpText("after", "\nExamples:\n  pawl retry shop/web\n  pawl retry shop/web 1.4.2")
    .action((workload: string, version: string | undefined, options: RequestOptions) =>
      sendRequest(workload, { verb: "retry", argument: version ?? null }, options),
    );
}
