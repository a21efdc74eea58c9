import { AppsV1Api } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { createSuite } from "../suite.ts";
import { startReadiness } from "./readiness-harness.ts";

const timeout = { [annotations.healthTimeout]: "10m" };

describeOnRealCluster("a newer version takes the place of one whose pods crash", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/bad", ["1.0.0", "1.1.0-bad"]);
  });

  test("the fix becomes healthy without a rollback in between", async () => {
    const { harness, pawl, image, waitForStatus, waitForEnd } = await startReadiness(suite, {
      kind: "Deployment",
      repository: "bad",
      timeout,
    });
    await pawl.poll();
    const failing = await waitForStatus("its pods crash", ({ update }) => update?.failing !== undefined);
    expect(failing.update?.failing).toMatch(/pods? failing: web-\S+ \(\S+\) exit 1/);
    await suite.registry.pushImage("shop/bad", ["1.2.0"]);
    await eventually("the fix is started", async () => (await pawl.poll()).started === 1);
    const forward = await waitForStatus("it is claimed", ({ update }) => update?.replacedImage !== undefined);
    expect(forward.update).toMatchObject({ previousImage: image("1.0.0"), replacedImage: image("1.1.0-bad") });
    expect(forward).toMatchObject({ rollbackCount: 1 });
    const { updateRecord, image: runs, inFlight } = await waitForEnd();
    expect({ runs, inFlight }).toEqual({ runs: image("1.2.0"), inFlight: null });
    expect(updateRecord).toMatchObject({ currentVersion: "1.2.0", rollbackCount: 0, failedVersions: [] });
    const superseded = { version: "1.1.0-bad", status: "Superseded" };
    expect(updateRecord.versionHistory).toMatchObject([superseded, { version: "1.2.0", status: "Healthy" }]);
    const { history = [] } = (await harness.read("deployment-web"))?.status ?? {};
    expect(history[0]?.reason).toMatch(/^superseded by 1\.2\.0; .*pods? failing: web-.* exit 1/);
    const apps = harness.kubeConfig.makeApiClient(AppsV1Api);
    const { items } = await apps.listNamespacedReplicaSet({ namespace: harness.namespace });
    const revisions = items.map(({ metadata, spec }) => [
      spec?.template?.spec?.containers[0]?.image?.split(":").at(-1),
      metadata?.annotations?.["deployment.kubernetes.io/revision"],
    ]);
    // A rollback would have given 1.0.0 another number.
    const numbers = Object.fromEntries(revisions) as Record<string, string>;
    expect(Number(numbers["1.1.0-bad"]) - Number(numbers["1.0.0"])).toBe(1);
    expect(Number(numbers["1.2.0"]) - Number(numbers["1.0.0"])).toBe(2);
  });
});
