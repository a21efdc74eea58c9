import { beforeAll, describe, inject, test } from "vitest";
import type { StatefulCanary } from "../../../functions/adapters/kubernetes/kinds/stateful-canary/object.ts";
import { createClock } from "../../../infra/local/runtime/clock.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { withNodeClock } from "../../support/control-plane/kubelet/pod-clock.ts";
import { type Trouble, writeTroubles } from "../../support/control-plane/kubelet/trouble.ts";
import { installCrd } from "../../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { openClusterHarness } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";
import { createCanaryHarness } from "./stateful-canary-harness.ts";

type Status = NonNullable<StatefulCanary["status"]>;

const speed = 20;
const image = (tag: string) => `registry.example/shop/db:${tag}`;

describeOnRealCluster("the control of a StatefulCanary", () => {
  const suite = createSuite();

  beforeAll(() => installCrd(realKubeConfig(), "stateful-canary"));

  /** Starts 1.0.0 on pods that have the clock of Pawl, and waits until it runs. */
  async function start(spec: object) {
    const opened = await openClusterHarness(suite);
    const { namespace } = opened;
    const since = new Date();
    const clock = createClock({ speed, since });
    const harness = createCanaryHarness(opened, withNodeClock(since, speed));
    const pawl = suite.closeAfterAll(await startIsolatedPawl({ namespace, registry: suite.registry, clock }));
    const trouble = (kinds: readonly Trouble["kind"][]) =>
      writeTroubles(
        inject("kubeconfig") ?? "",
        namespace,
        kinds.map((kind) => ({ app: "db", kind })),
      );
    const poll = (what: string, isThere: (status: Status) => boolean) =>
      eventually(what, async () => {
        const { status } = await harness.get("db");
        if (status !== undefined && isThere(status)) return status;
        await pawl.poll();
        return false;
      });
    await harness.create("db", { canaryImage: image("1.0.0"), healthTimeout: "2m", ...spec });
    await poll("1.0.0 runs", ({ currentPhase }) => currentPhase === "Succeeded");
    return { harness, pawl, trouble, poll };
  }

  describe.concurrent("in a namespace of its own", () => {
    test.for([
      { when: "beside its canary", spec: {}, pods: "canary", reason: /the version before it fails too/ },
      {
        when: "restored after it",
        spec: { canaryReplicas: 0 },
        pods: "stable",
        reason: /either|the version before it fails too/,
      },
    ])(
      "stable pods that fail too, $when: it is withdrawn and counted, and applied when both are healthy",
      { retry: 2 },
      async ({ spec, pods, reason }, { expect }) => {
        const { harness, pawl, trouble, poll } = await start(spec);
        await harness.patch("db", { canaryImage: image("1.1.0") });
        await pawl.poll();
        await eventually("a pod of it exists", async () => {
          const set = await harness.statefulSet(`db-${pods}`);
          return set.image === image("1.1.0") && (await harness.pods(pods)).length > 0;
        });
        trouble(["exit"]);
        const lastOf = ({ autoUpdate }: Status) => autoUpdate?.versionHistory?.at(-1);
        const status = await poll("it is withdrawn", (seen) => lastOf(seen)?.status === "Withdrawn");
        expect(status.autoUpdate).toMatchObject({ rollbackCount: 1 });
        expect(status.autoUpdate?.failedVersions ?? []).toEqual([]);
        expect(status.message).toMatch(reason);
        trouble([]);
        const applied = await poll("it is applied after that", ({ currentPhase }) => currentPhase === "Succeeded");
        expect(applied.message).toBe(`all 3 replicas run ${image("1.1.0")}`);
      },
    );

    test("pods that exit in a promotion alone: the version before it is restored, and it has failed", async ({
      expect,
    }) => {
      const { harness, poll } = await start({ canaryReplicas: 0 });
      await harness.patch("db", { canaryImage: image("1.1.0-bad") });
      const { autoUpdate, message } = await poll("it has failed", ({ currentPhase }) => currentPhase === "Failed");
      expect(autoUpdate).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0-bad"] });
      expect(message).toMatch(/pods? failing: db-stable-\d \(db\) exit 1 `no DB_URL`/);
      expect(await harness.statefulSet("db-stable")).toMatchObject({ image: image("1.0.0"), ready: 3 });
    });
  });
});
