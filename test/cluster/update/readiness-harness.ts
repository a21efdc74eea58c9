import { CoreV1Api } from "@kubernetes/client-node";
import type { AutoUpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import type { Environment } from "../../../functions/runtime/settings.ts";
import { createClock } from "../../../infra/local/runtime/clock.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { withNodeClock } from "../../support/control-plane/kubelet/pod-clock.ts";
import { createKubectl } from "../../support/kubectl.ts";
import type { Kind } from "../../support/kubectl/objects.ts";
import { openAutoUpdateHarness } from "../auto-update/auto-update-harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import type { WorkloadSpec } from "../harness.ts";
import type { Suite } from "../suite.ts";

/** The workload of each test. */
export const name = "web";

interface Options {
  readonly kind: Kind;
  /** Each has the version 1.0.0, and a newer one. */
  readonly repository: string;
  readonly timeout: Record<string, string>;
  readonly spec?: WorkloadSpec | undefined;
  /** Of the clock. With more than 1, times that the cluster writes are earlier than it says. */
  readonly speed?: number;
  readonly environment?: Environment;
  /** The nodes of its pods have the same clock. */
  readonly hasNodeClock?: boolean;
}

/** Creates a workload, and waits until its pods run 1.0.0. */
export async function startReadiness(
  suite: Suite,
  { kind, repository, timeout, spec = {}, speed = 20, environment = {}, hasNodeClock = false }: Options,
) {
  const harness = await openAutoUpdateHarness(suite);
  const { namespace, kubeConfig } = harness;
  const image = (tag: string) => `${suite.registry.host}/shop/${repository}:${tag}`;
  const since = new Date();
  const clock = createClock({ speed, since });
  const isolated = suite.closeAfterAll(
    await startIsolatedPawl({ namespace, registry: suite.registry, clock, environment }),
  );
  const poll = async () => {
    const report = await isolated.poll();
    if (report.failed.length > 0) throw new Error(JSON.stringify(report.failed));
    return report;
  };
  const pawl = { ...isolated, poll };
  const nodeClock = hasNodeClock ? { metadata: { annotations: withNodeClock(since, speed) } } : {};
  await harness.create(kind, name, image("1.0.0"), timeout, { ...spec, template: { ...spec.template, ...nodeClock } });
  const statusOf = async () => (await harness.read(`${kind.toLowerCase()}-${name}`))?.status;
  return {
    harness,
    pawl,
    image,
    core: kubeConfig.makeApiClient(CoreV1Api),
    kubectl: createKubectl(kubeConfig, namespace, () => new Date()),
    /** Waits for a status of the AutoUpdate, and returns it. */
    waitForStatus: (what: string, isThere: (status: AutoUpdateStatus) => boolean) =>
      eventually(what, async () => {
        const status = await statusOf();
        return status !== undefined && isThere(status) && status;
      }),
    async waitForEnd() {
      await eventually("the execution ends", async () => pawl.running() === 0);
      return harness.workload(name);
    },
  };
}
