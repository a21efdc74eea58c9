import { Command } from "commander";
import { sendRequest, type RequestOptions, withRequestOptions } from "./request.ts";

interface Options extends RequestOptions {
  readonly to?: string;
}

export function rollbackCommand(): Command {
  const command = new Command("rollback").description(
    "Requests a rollback to an earlier release: its whole pod template is restored, and neither the replicas nor stored data. It is " +
      "checked like an update, and reverted if it fails. The version that it leaves is not chosen again until something newer appears.",
  );
  return withRequestOptions(command)
    .option("--to <release>", "the number of a release (default: the second newest that succeeded)")
    .addHelpText("after", "\nExamples:\n  pawl rollback shop/web\n  pawl rollback shop/web --to 3")
    .action((workload: string, options: Options) =>
      sendRequest(workload, { verb: "rollback", argument: options.to ?? null }, options),
    );
}
