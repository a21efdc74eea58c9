import { Command } from "commander";
import { sendRequest, type RequestOptions, withRequestOptions } from "./request.ts";

interface PromoteOptions extends RequestOptions {
  readonly full?: true;
}

export function promoteCommand(): Command {
  const command = new Command("promote").description(
    "Requests that the canary in flight, which is paused, continues in its next check. With --full it is rolled out to all replicas, " +
      "paused or not, regardless of its analysis and its other steps. The exit code is 1 if no canary is in flight or, without --full, " +
      "if it is not paused.",
  );
  return withRequestOptions(command)
    .option("--full", "update all replicas now")
    .addHelpText("after", "\nExamples:\n  pawl promote shop/web\n  pawl promote shop/web --full")
    .action((workload: string, { full, ...options }: PromoteOptions) =>
      sendRequest(workload, { verb: "promote", argument: full ? "full" : null }, options),
    );
}
