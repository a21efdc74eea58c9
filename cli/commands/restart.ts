import { Command } from "commander";
import { sendRequest, type RequestOptions, withRequestOptions } from "./request.ts";

export function restartCommand(): Command {
  const command = new Command("restart").description(
    "Requests that all pods of a workload are recreated with the image that runs, also while the circuit is open, updates are paused or " +
      "the schedule is not due. It is checked and recorded like an update. Pods of a workload with the update strategy OnDelete are " +
      "replaced one by one.",
  );
  return withRequestOptions(command)
    .addHelpText("after", "\nExample:\n  pawl restart shop/web")
    .action((workload: string, options: RequestOptions) =>
      sendRequest(workload, { verb: "restart", argument: null }, options),
    );
}
