import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { createClock } from "../../../infra/local/runtime/clock.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { installCrd } from "../../support/crds/install.ts";
import { withNodeClock } from "../../support/control-plane/kubelet/pod-clock.ts";
import { lifeAnnotations } from "../../support/control-plane/kubelet/life.ts";
import type { Kind } from "../../support/kubectl/objects.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { createCanaryHarness, unreachablePrometheus } from "../canary/stateful-canary-harness.ts";
import { openClusterHarness } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";
import { name, startReadiness } from "./readiness-harness.ts";

const timeout = (seconds: number) => ({ [annotations.healthTimeout]: `${seconds}s` });
const nothingBlamed = { rollbackCount: 0, failedVersions: [], circuitOpen: false };
const pause = { [annotations.canarySteps]: '[{"size": 1}, {"pause": {"duration": "1h"}}]' };
const bake = { [annotations.bakeTime]: "1h" };
const metrics = [{ name: "errors", query: "up", threshold: 1, consecutiveErrorLimit: 1000 }];
const analysis = {
  [annotations.canary]: "1",
  [annotations.analysis]: JSON.stringify({ prometheus: unreachablePrometheus, interval: "1m", metrics }),
};

const environment = { PAWL_PROMETHEUS: unreachablePrometheus };

/** Pawl and the nodes have the same clock. Everything beside the nodes takes real time. */
const speed = 15;

/** How the pods of 1.1.0 live, by repository. */
const lives = {
  slow: { start: 60 },
  soon: { start: 4 },
  waits: { start: 10, exitsBefore: 6 },
  exits: { start: 5, live: 25 },
  "once-deployment": { pulls: 1 },
  "once-statefulset": { pulls: 1 },
} as const satisfies Readonly<Record<string, Partial<Record<keyof typeof lifeAnnotations, number>>>>;

describeOnRealCluster("the pods of an update are judged one by one", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await installCrd(realKubeConfig(), "stateful-canary");
    for (const [repository, life] of Object.entries(lives)) {
      await suite.registry.pushImage(`shop/${repository}`, ["1.0.0"]);
      const named = Object.entries(life).map(([key, value]) => [
        lifeAnnotations[key as keyof typeof lifeAnnotations],
        String(value),
      ]);
      await suite.registry.push(`shop/${repository}`, "1.1.0", { annotations: Object.fromEntries(named) });
    }
  });

  const start = (
    kind: Kind,
    repository: keyof typeof lives,
    policy: Record<string, string>,
    spec?: object,
    speedUp = speed,
  ) =>
    startReadiness(suite, { kind, repository, timeout: policy, spec, speed: speedUp, environment, hasNodeClock: true });

  describe.concurrent("in a namespace of its own", () => {
    const updated = [
      { what: "a StatefulSet whose pods take longer together", kind: "StatefulSet", repository: "slow", seconds: 150 },
      {
        what: "a StatefulSet with OnDelete whose pods do",
        kind: "StatefulSet",
        repository: "slow",
        seconds: 150,
        spec: { updateStrategy: { type: "OnDelete", rollingUpdate: null } },
      },
      {
        what: "a Deployment of 5 that replaces one pod at a time",
        kind: "Deployment",
        repository: "slow",
        seconds: 150,
        spec: { replicas: 5, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      },
      { what: "a DaemonSet whose pods take longer together", kind: "DaemonSet", repository: "slow", seconds: 110 },
      {
        what: "minReadySeconds longer than the health timeout",
        kind: "Deployment",
        repository: "soon",
        seconds: 6,
        spec: { replicas: 1, minReadySeconds: 10 },
        real: true,
      },
      { what: "pods that exit before they are ready", kind: "Deployment", repository: "waits", seconds: 300 },
    ] as const;
    test.for(updated)("with $what, it is updated", async ({ kind, repository, seconds, ...rest }, { expect }) => {
      const { pawl, image, waitForEnd } = await start(
        kind,
        repository,
        timeout(seconds),
        "spec" in rest ? rest.spec : {},
        "real" in rest ? 1 : speed,
      );
      await pawl.poll();
      const { image: runs, updateRecord } = await waitForEnd();
      expect(updateRecord.versionHistory).toMatchObject([{ version: "1.1.0", status: "Healthy" }]);
      expect(runs).toBe(image("1.1.0"));
    });

    const failed = [
      { where: "in the bake time of a Deployment", kind: "Deployment", policy: bake },
      { where: "in that of a StatefulSet", kind: "StatefulSet", policy: bake },
      { where: "in that of a DaemonSet", kind: "DaemonSet", policy: bake },
      {
        where: "in that of a StatefulSet with OnDelete",
        kind: "StatefulSet",
        policy: bake,
        spec: { updateStrategy: { type: "OnDelete", rollingUpdate: null } },
      },
      { where: "in the pause of a canary", kind: "Deployment", policy: pause },
      { where: "in the pause of a canary of a StatefulSet", kind: "StatefulSet", policy: pause },
      { where: "in the analysis of a canary", kind: "Deployment", policy: analysis },
    ] as const;
    test.for(failed)("a pod that exits again and again $where fails", async ({ kind, policy, ...rest }, { expect }) => {
      const spec = "spec" in rest ? rest.spec : {};
      const { pawl, image, waitForEnd } = await start(kind, "exits", { ...timeout(600), ...policy }, spec);
      await pawl.poll();
      const { image: runs, updateRecord } = await waitForEnd();
      expect(updateRecord.versionHistory).toMatchObject([{ version: "1.1.0", status: "RolledBack" }]);
      expect(updateRecord.versionHistory[0]?.reason).toMatch(
        /exited \d+ times after it was ready, which max-restarts 3 excludes; \d of \d pods? failing: web-\S+ \(app\) exit 1 \(\d+ restarts?\)/,
      );
      expect(updateRecord).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0"] });
      expect(runs).toBe(image("1.0.0"));
    });

    test.for(["Deployment", "StatefulSet"] as const)(
      "a canary of a %s that is evicted, and then cannot be pulled, is withdrawn",
      async (kind, { expect }) => {
        const { harness, pawl, image, core, waitForStatus, waitForEnd } = await start(
          kind,
          `once-${kind === "Deployment" ? "deployment" : "statefulset"}`,
          {
            ...timeout(120),
            ...pause,
          },
        );
        await pawl.poll();
        await waitForStatus("the canary is paused", ({ canary }) => canary?.waitsFor === "Time");
        const { namespace } = harness;
        const { items } = await core.listNamespacedPod({ namespace });
        const canary = items.find(({ spec }) => spec?.containers[0]?.image === image("1.1.0"))?.metadata?.name ?? "";
        await core.createNamespacedPodEviction({ name: canary, namespace, body: { metadata: { name: canary } } });
        const { image: runs, updateRecord, backOff } = await waitForEnd();
        expect(runs).toBe(image("1.0.0"));
        expect(updateRecord).toMatchObject(nothingBlamed);
        expect(updateRecord.versionHistory).toMatchObject([{ version: "1.1.0", status: "Withdrawn" }]);
        expect(updateRecord.versionHistory[0]?.reason).toContain("1 pod waiting: web");
        expect(updateRecord.versionHistory[0]?.reason).toContain("ImagePullBackOff");
        expect(backOff).toMatchObject({ attempts: 1 });
      },
    );

    const ofStatefulCanary = [
      { where: "in the pause of its canary", spec: { steps: [{ size: 1 }, { pause: { duration: "1h" } }] } },
      { where: "in its bake time", spec: { canaryReplicas: 0, bakeTime: "1h" } },
    ];
    test.for(ofStatefulCanary)(
      "a pod of a StatefulCanary that exits again and again $where fails",
      async ({ spec }, { expect }) => {
        const opened = await openClusterHarness(suite);
        const since = new Date();
        const harness = createCanaryHarness(opened, withNodeClock(since, speed));
        const { namespace } = opened;
        const clock = createClock({ speed, since });
        const pawl = suite.closeAfterAll(await startIsolatedPawl({ namespace, registry: suite.registry, clock }));
        const all = {
          canaryImage: `${suite.registry.host}/shop/exits:1.1.0`,
          healthTimeout: "10m",
          canaryReplicas: undefined,
        };
        await harness.create("db", { ...all, ...spec });
        await pawl.poll();
        await eventually("the execution ends", async () => pawl.running() === 0);
        const { status } = await harness.get("db");
        expect(status).toMatchObject({ currentPhase: "Failed", canaryReplicas: 0 });
        expect(status?.message).toContain("times after it was ready, which max-restarts 3 excludes");
        expect(status?.message).toMatch(/pods? failing: db-\S+ \(db\) exit 1 \(\d+ restarts?\)/);
        expect(status?.health).toBeUndefined();
      },
    );

    test("-1 restarts are a problem, and nothing starts", async ({ expect }) => {
      const { harness, pawl } = await start("Deployment", "slow", { [annotations.maxRestarts]: "-1" });
      expect(await pawl.poll()).toMatchObject({ started: 0 });
      const problem = `${annotations.maxRestarts} "-1": must be a whole number from 0 to 100`;
      await eventually("it is reported", async () => (await harness.workload(name)).lastReported.problem !== null);
      expect((await harness.workload(name)).lastReported.problem).toContain(problem);
    });
  });
});
