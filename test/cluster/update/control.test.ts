import { beforeAll, describe, expect as matchers, test } from "vitest";
import type { AutoUpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { createSuite } from "../suite.ts";
import { cases, startControl } from "./control-harness.ts";

const lastOf = ({ history = [] }: AutoUpdateStatus) => history.at(-1);
const isHealthy = (status: AutoUpdateStatus) => lastOf(status)?.result === "Healthy";
const withdrawn = (status: AutoUpdateStatus) => (status.history ?? []).filter(({ result }) => result === "Withdrawn");

describeOnRealCluster("a version is blamed only if the one before it is healthy", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    await suite.registry.pushImage("shop/three", ["1.0.0", "1.1.0", "1.2.0", "1.3.0"]);
    await suite.registry.pushImage("shop/bad", ["1.0.0", "1.1.0-bad"]);
  });

  describe.concurrent("in a namespace of its own", () => {
    // On a busy machine an update may be over before the fake kubelet has read that the dependency is away.
    test.for(cases)("$name: a dependency is away from old and new pods", { retry: 2 }, async (one, { expect }) => {
      const { start, trouble, ready, poll, harness, image } = await startControl(suite, "shop/good", one);
      await ready();
      await start();
      trouble(["exit"]);
      const status = await poll("it is withdrawn", (seen) => withdrawn(seen).length > 0);
      expect(status).toMatchObject({ rollbackCount: 1 });
      expect(status.failedVersions ?? []).toEqual([]);
      expect(lastOf(status)?.reason).toMatch(/exit 1 `no DB_URL`/);
      trouble([]);
      const { failedVersions = [], rollbackCount = 0 } = await poll("it is applied after that", isHealthy);
      expect({ failedVersions, rollbackCount }).toEqual({ failedVersions: [], rollbackCount: 0 });
      expect((await harness.workload("web")).image).toBe(image("1.1.0"));
    });

    test.for(cases)("$name: the registry answers 429 to the nodes", async (one, { expect }) => {
      const { trouble, ready, poll, harness, image } = await startControl(suite, "shop/good", one);
      await ready();
      trouble(["pull"]);
      const status = await poll("it is withdrawn", (seen) => withdrawn(seen).length > 0);
      expect(status.failedVersions ?? []).toEqual([]);
      expect(status.rollbackCount ?? 0).toBe(0);
      expect(status).toMatchObject({ backOff: matchers.anything() });
      expect(lastOf(status)?.reason).toMatch(/ImagePullBackOff `[^`]*429/);
      trouble([]);
      const { failedVersions = [] } = await poll("it is applied after that", isHealthy);
      expect(failedVersions).toEqual([]);
      expect((await harness.workload("web")).image).toBe(image("1.1.0"));
    });

    test.for(cases)("$name: its own template was broken before", async (one, { expect }) => {
      const twice = { [annotations.maxRollbacks]: "2" };
      const { start, trouble, poll, harness, image } = await startControl(suite, "shop/three", one, twice);
      trouble(["exit"]);
      await start();
      const status = await poll("the circuit opens", ({ circuitOpen }) => circuitOpen === true);
      expect(status.failedVersions ?? []).toEqual([]);
      expect(status.rollbackCount).toBe(2);
      expect(withdrawn(status).length).toBe(2);
      expect(withdrawn(status).map(({ reason }) => reason)).toEqual([
        matchers.stringMatching(/either|not available before/),
        matchers.stringMatching(/either|not available before/),
      ]);
      expect((await harness.workload("web")).image).toBe(image("1.0.0"));
      trouble([]);
    });

    test.for(cases)("$name: its pods alone exit, and the history and an Event show why", async (one, { expect }) => {
      const { ready, poll, harness, image } = await startControl(suite, "shop/bad", one);
      await ready();
      const status = await poll("it is rolled back", (seen) => lastOf(seen)?.result === "RolledBack");
      expect(status).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0-bad"] });
      expect(lastOf(status)?.reason).toMatch(/pods? failing: web-\S+ \(app\) exit 1 `no DB_URL` \(3 restarts\)/);
      expect((await harness.workload("web")).image).toBe(image("1.0.0"));
      expect(await harness.eventsOf("web")).toContain("AutoUpdateRollback");
    });
  });
});
