import { Command } from "commander";
import { sendRequest, type RequestOptions, withRequestOptions } from "./request.ts";

export function promoteCommand(): Command {
  const command = new Command("promote").description(
    "Requests that the canary in flight continues, if it is paused, in its next check. Any other is rolled out to all replicas, " +
      "regardless of its analysis and its other steps. The exit code is 1 if no canary is in flight.",
  );
  return withRequestOptions(command)
    .addHelpText("after", "\nExample:\n  pawl promote shop/web")
    .action((workload: string, options: RequestOptions) =>
      sendRequest(workload, { verb: "promote", argument: null }, options),
    );
}
