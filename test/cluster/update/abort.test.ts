import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { request } from "../auto-update/auto-updates.ts";
import { createSuite } from "../suite.ts";
import { name, startReadiness } from "./readiness-harness.ts";

const timeout = { [annotations.healthTimeout]: "1h" };
const bake = { ...timeout, [annotations.bakeTime]: "24h" };
const canary = { ...timeout, [annotations.canarySteps]: '[{size: 1, pause: {duration: "168h"}}]' };

describeOnRealCluster("a person ends an update", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
  });

  describe.concurrent("in a namespace of its own", () => {
    test.for([
      { verb: "abort", during: "its bake time", policy: bake, result: "the update is aborted" },
      { verb: "rollback", during: "its bake time", policy: bake, result: "the update is aborted" },
      { verb: "rollback", during: "its canary", policy: canary, result: "the canary is removed" },
    ])("$verb during $during", async ({ verb, policy, result }, { expect }) => {
      const { harness, pawl, image, waitForStatus, waitForEnd } = await startReadiness(suite, {
        kind: "Deployment",
        repository: "good",
        timeout: policy,
      });
      await pawl.poll();
      await waitForStatus("it bakes, or is paused", ({ update, canary: at }) => {
        return update?.bakingSince !== undefined || at?.waitsFor === "Time";
      });
      const { ref } = await harness.workload(name);
      await request(harness, ref, `${verb} now`);
      const { image: runs, inFlight, canary: left, updateRecord, lastRequest, rollout } = await waitForEnd();
      expect({ runs, inFlight, left }).toEqual({ runs: image("1.0.0"), inFlight: null, left: null });
      expect(rollout).toMatchObject({ readyReplicas: rollout?.desiredReplicas });
      expect(updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: ["1.1.0"], circuitOpen: false });
      expect(lastRequest).toMatchObject({ token: "now", verb, result });
    });
  });
});
