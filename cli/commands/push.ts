import { Command } from "commander";
import { sendRequest, type RequestOptions, withRequestOptions } from "./request.ts";

export function pushCommand(): Command {
  const command = new Command("push").description(
    "Requests an update to a version: also to one that is older, has failed, or is outside the constraint, while the circuit is " +
      "open and when the schedule is not due. It is checked and rolled back like any update, and ends another one that is in " +
      "progress. After a version older than the last one, only newer versions than the last one are applied.",
  );
  return withRequestOptions(command)
    .argument("<version>", "a tag of the tracked image")
    .addHelpText("after", "\nExample:\n  pawl push shop/web 1.4.2")
    .action((workload: string, version: string, options: RequestOptions) =>
      sendRequest(workload, { verb: "push", argument: version }, options),
    );
}
