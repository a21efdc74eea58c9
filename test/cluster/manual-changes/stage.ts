import type { KubeConfig } from "@kubernetes/client-node";
import type { AutoUpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { createKubectl, type Kubectl } from "../../support/kubectl.ts";
import { type Kind, openObjects } from "../../support/kubectl/objects.ts";
import { installCrd } from "../../support/crds/install.ts";
import { makeNamespace, realKubeConfig } from "../../support/real-cluster.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import type { Suite } from "../suite.ts";
import { createGatedClock } from "./gate.ts";

/** An AutoUpdate as the API server returns it. */
export interface Recorded {
  readonly metadata: { readonly ownerReferences?: readonly { readonly uid: string }[] };
  readonly status?: AutoUpdateStatus;
}

/** A namespace with a Pawl of its own, and a person. */
export interface Stage {
  readonly namespace: string;
  readonly kubeConfig: KubeConfig;
  readonly kubectl: Kubectl;
  /** Polls, and waits until no execution runs. Returns the names of the workloads that the poll failed for, with the errors. */
  poll(): Promise<readonly string[]>;
  /** Polls until this number of executions waits for a rollout or a canary. They wait until `resume` is called. */
  pollAndFreeze(executions: number): Promise<void>;
  /** Lets all executions go on, and waits until none runs. */
  resume(): Promise<void>;
  record(kind: Kind, name: string): Promise<Recorded | null>;
  createRecord(kind: Kind, name: string, policy: object): Promise<void>;
  deleteRecord(kind: Kind, name: string): Promise<void>;
  /** The executions that were started. */
  readonly started: ReadonlySet<string>;
  /** The time of Pawl, and of the person. */
  readonly now: () => Date;
}

/** Opens a stage whose clock runs 20 times as fast. */
export async function openStage(suite: Suite): Promise<Stage> {
  const kubeConfig = realKubeConfig();
  await installCrd(kubeConfig, "auto-update");
  const namespace = await makeNamespace(kubeConfig, "manual");
  const clock = createGatedClock(20);
  const started = new Set<string>();
  const waiting = new Set<string>();
  const pawl = await startIsolatedPawl({
    namespace,
    registry: suite.registry,
    clock,
    onStateChange({ type, execution }) {
      if (type === "ExecutionStarted") started.add(execution);
      if (type === "WaitStateEntered") waiting.add(execution);
    },
  });
  suite.closeAfterAll({
    async close() {
      clock.open();
      await pawl.close();
    },
  });
  const records = openObjects(kubeConfig, namespace, "pawl.dev", "v1alpha1");
  const idle = () => eventually("no execution runs", async () => pawl.running() === 0);
  const pollOnce = async () =>
    (await pawl.poll()).failed.map(({ workload, message }) => `${workload.name}: ${message}`);
  return {
    namespace,
    kubeConfig,
    kubectl: createKubectl(kubeConfig, namespace, clock.now),
    started,
    now: clock.now,
    async poll() {
      const failed = await pollOnce();
      await idle();
      return failed;
    },
    async pollAndFreeze(executions) {
      clock.close();
      waiting.clear();
      const failed = await pollOnce();
      if (failed.length > 0) throw new Error(failed.join("\n"));
      await eventually(`${executions} executions wait`, async () => waiting.size === executions);
    },
    async resume() {
      clock.open();
      await idle();
    },
    record: (kind, name) =>
      records.get<Recorded>("autoupdates", `${kind.toLowerCase()}-${name}`).catch((error: { code?: number }) => {
        if (error.code !== 404) throw error;
        return null;
      }),
    createRecord: (kind, name, policy) =>
      records.create("autoupdates", {
        apiVersion: "pawl.dev/v1alpha1",
        kind: "AutoUpdate",
        metadata: { name: `${kind.toLowerCase()}-${name}` },
        spec: { targetRef: { apiVersion: "apps/v1", kind, name }, policy },
      }),
    deleteRecord: (kind, name) => records.delete("autoupdates", `${kind.toLowerCase()}-${name}`),
  };
}
