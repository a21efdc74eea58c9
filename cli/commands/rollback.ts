import { Command } from "commander";
import { InvalidInput } from "../exit-codes.ts";
import type { DigestOptions } from "../options/digest.ts";
import { withRegistryOptions } from "../options/registry.ts";
import { prepareRollback, type RollbackOptions } from "../workloads/prepare-rollback.ts";
import { sendRequest, type RequestOptions, withRequestOptions } from "./request.ts";

type Options = RequestOptions & RollbackOptions & DigestOptions & { readonly to?: string };

export function createCommand(): Command {
  const command = new Command("rollback").description(
    "Requests a rollback to an earlier release: its whole pod template is restored, and neither the replicas nor stored data. It is " +
      "checked like an update, and reverted if it fails. The version that it leaves is not chosen again until something newer appears. " +
      "During an update of an image, without --to, it is pawl abort. Before anything is written, it looks up with your rights what the " +
      "pods of the release need: images, ConfigMaps, Secrets, the ServiceAccount, PersistentVolumeClaims and, with -c, signatures. The " +
      "exit code is 1 if anything is missing; what cannot be looked up is named.",
  );
  return withRegistryOptions(withRequestOptions(command, true))
    .option("--to <release>", "the number of a release (default: the second newest that succeeded)")
    .option("--abort-canary", "with --to, also during an update: abort it first, and wait for its end")
    .option("--now", "have it handled at once: by pawl local on this machine or, with -c, by the deployed poll")
    .option("--no-preflight", "look nothing up first")
    .option("-c, --config <file>", "the pawl.json of the deployment: its rules of signatures, and its poll for --now")
    .option("--cluster <name>", "cluster of the configuration (default: its only one)")
    .option("--region <region>", "region of the stack, as of pawl doctor")
    .addHelpText("after", "\nExamples:\n  pawl rollback shop/web\n  pawl rollback shop/web --to 3 --abort-canary --now")
    .action(async (workload: string, options: Options) => {
      const { to = null, abortCanary, wait } = options;
      if (abortCanary && wait === false)
        throw new InvalidInput("--abort-canary waits for the end of the update; remove --no-wait");
      // A private image is looked up with the pull secrets of the workload, if the caller may read them.
      const withLogins: Options = { ...options, pullSecrets: "true" };
      await sendRequest(workload, { verb: "rollback", argument: to }, withLogins, {
        hasVerdict: true,
        prepare: (...found) => prepareRollback(options, ...found),
      });
    });
}
