import { withTimeouts } from "../../functions/adapters/aws/client.ts";
import type { PollInput } from "../../functions/contract/poll-input.ts";
import type { WorkloadRef } from "../../functions/domain/workload/workload.ts";
import { pollRequest } from "../../infra/local/runtime/poll-request.ts";
import { InvalidInput } from "../exit-codes.ts";
import { readLocalPolls } from "../local/next-poll.ts";
import { printStderr } from "../output/print.ts";

/** Where the poll is. */
export interface PollNowOptions {
  readonly config?: string;
  readonly cluster?: string;
  readonly region?: string;
}

/** Asks for a poll. Returns whether that was possible, and prints why not. */
export type PollNow = () => Promise<boolean>;

/**
 * Returns a function that asks for a poll of this workload: by the deployed function `poll` or, without a configuration, by a `pawl local`
 * on this machine. Throws `InvalidInput` if that cannot be asked, and what AWS throws.
 */
export async function openPollNow(server: string, ref: WorkloadRef, options: PollNowOptions): Promise<PollNow> {
  const ask =
    options.config === undefined ? await openLocal(server) : await openDeployed(server, ref, options.config, options);
  return () =>
    ask().then(
      () => true,
      (error: unknown) => {
        printStderr(`not polled at once: ${error instanceof Error ? error.message : String(error)}`);
        return false;
      },
    );
}

async function openLocal(server: string): Promise<() => Promise<void>> {
  const local = await readLocalPolls(server);
  if (local === null)
    throw new InvalidInput(
      "--now: no pawl local polls this cluster on this machine; name the pawl.json of a deployment with -c",
    );
  const { EventBridgeClient, PutEventsCommand } = await import("@aws-sdk/client-eventbridge");
  const credentials = { accessKeyId: local.accessKeyId, secretAccessKey: "local" };
  const client = new EventBridgeClient({ ...withTimeouts({ region: "local", endpoint: local.url }), credentials });
  return async () => void (await client.send(new PutEventsCommand({ Entries: [pollRequest] })));
}

/** Asks AWS first whether the caller may: nothing is written otherwise. */
async function openDeployed(
  server: string,
  ref: WorkloadRef,
  file: string,
  flags: PollNowOptions,
): Promise<() => Promise<void>> {
  const { functionName, readTarget } = await import("../doctor/target.ts");
  const { isSameServer } = await import("../doctor/cluster-checks.ts");
  const { LambdaClient, InvokeCommand } = await import("@aws-sdk/client-lambda");
  const target = readTarget({ ...flags, file });
  const { name: configured, access } = target.cluster;
  if (access.kind === "eks" && access.endpoint !== null && !isSameServer(access.endpoint, server))
    throw new InvalidInput(
      `--now: the kubeconfig leads to ${server}, and cluster ${configured} of ${file} is ${access.endpoint}; use --context or --cluster`,
    );
  const { kind, namespace, name } = ref;
  const input: PollInput = { cluster: target.cluster.name, workloads: [{ kind, namespace, name }] };
  const client = new LambdaClient(withTimeouts({ region: target.region }));
  const FunctionName = functionName(target, "poll");
  const invoke = async (InvocationType: "DryRun" | "Event") => {
    const Payload = JSON.stringify(input);
    await client.send(new InvokeCommand({ FunctionName, Qualifier: "live", InvocationType, Payload }));
  };
  await invoke("DryRun").catch((error: Error) => {
    const reason = `${error.name}: ${error.message}`;
    const where = `--now: ${FunctionName} in ${target.region}`;
    throw new Error(`${where} cannot be invoked: ${reason}; you need lambda:InvokeFunction on it`, { cause: error });
  });
  return () => invoke("Event");
}
