import { SFNClient } from "@aws-sdk/client-sfn";
import { createStepFunctionsExecutions } from "../../functions/adapters/aws/step-functions.ts";
import type { UpdateInput } from "../../functions/contract/workload-update.ts";
import { pollCluster } from "../../functions/workflows/poll/poll-cluster.ts";
import { startAwsEndpoint } from "../../infra/local/runtime/aws-endpoint.ts";
import { fakePorts } from "../../test/support/fake-ports.ts";
import { inFlight, updatingWorkload } from "../../test/support/workloads.ts";

const machine = "workload-update";
const waiting = {
  StartAt: "Wait",
  States: { Wait: { Type: "Wait", Seconds: 86_400, Next: "Done" }, Done: { Type: "Succeed" } },
};

/** Runs a poll with this number of updates in progress. Returns how often it called each operation of Step Functions. */
export async function countPollCalls(updates: number): Promise<Readonly<Record<string, number>>> {
  const endpoint = await startAwsEndpoint({
    machines: { [machine]: { definition: waiting, tasks: {} } },
    now: () => new Date(),
    waitScale: 1,
  });
  const client = new SFNClient({ endpoint: endpoint.url, region: "us-east-1", credentials: endpoint.credentials });
  const stateMachineArn = endpoint.stateMachineArn(machine);
  const executions = createStepFunctionsExecutions<UpdateInput>({ client, stateMachineArn });
  try {
    const names = Array.from({ length: updates }, (_, index) => `update-${index}`);
    await Promise.all(names.map((name) => executions.start(name, {} as UpdateInput)));
    const calls: Record<string, number> = {};
    client.middlewareStack.add(
      (next, { commandName = "" }) =>
        (args) => {
          const operation = commandName.replace(/Command$/, "");
          calls[operation] = (calls[operation] ?? 0) + 1;
          return next(args);
        },
      { step: "initialize" },
    );
    const workloads = names.map((execution) => {
      const one = updatingWorkload({ inFlight: { ...inFlight, execution } });
      return { ...one, ref: { ...one.ref, name: execution, uid: execution } };
    });
    const report = await pollCluster({ ...fakePorts({ workloads }), executions });
    if (report.inFlight !== updates) throw new Error(`${report.inFlight} of ${updates} updates are in flight`);
    return calls;
  } finally {
    client.destroy();
    await endpoint.close();
  }
}
