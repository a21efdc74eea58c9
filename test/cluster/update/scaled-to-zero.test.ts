import { PatchStrategy } from "@kubernetes/client-node";
import { test } from "vitest";
import { eventually } from "../../support/control-plane/eventually.ts";
import { openObjects, plurals } from "../../support/kubectl/objects.ts";
import { isSoak } from "../../support/property-runs.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { openAutoUpdateHarness } from "../auto-update/auto-update-harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";

const count = isSoak ? 1000 : 10;
const names = Array.from({ length: count }, (_, index) => `web-${index}`);

describeOnRealCluster(`${count} workloads that are scaled to 0`, () => {
  const suite = createSuite();

  test("are parked at once, do not keep newer versions waiting, and are judged when they are scaled up", async ({
    expect,
  }) => {
    await suite.registry.pushImage("shop/idle", ["1.0.0", "1.1.0"]);
    const image = (tag: string) => `${suite.registry.host}/shop/idle:${tag}`;
    const harness = await openAutoUpdateHarness(suite);
    const { namespace, kubeConfig } = harness;
    const objects = openObjects(kubeConfig, namespace);
    const entered: string[] = [];
    const pawl = suite.closeAfterAll(
      await startIsolatedPawl({
        namespace,
        registry: suite.registry,
        speed: 60,
        onStateChange: ({ type, state }) => void (type.endsWith("StateEntered") && entered.push(state ?? "")),
      }),
    );
    for (const name of names) {
      await harness.create("Deployment", name, image("1.0.0"), {});
      await objects.patch(plurals.Deployment, name, PatchStrategy.MergePatch, { spec: { replicas: 0 } });
    }
    const parkedAt = (tag: string) =>
      eventually(`all are parked at ${tag}`, async () => {
        await pawl.poll();
        const all = await Promise.all(
          names.map(async (name) => (await harness.read(`deployment-${name}`))?.status?.update),
        );
        return all.every((update) => update?.parked?.reason === "NoReplicas" && update.target.image === image(tag));
      });
    await parkedAt("1.1.0");
    const before = entered.length;
    // Six minutes of its clock: a check every five minutes would enter eight states in each.
    for (let poll = 0; poll < 3; poll += 1) {
      await pawl.poll();
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
    expect(entered.length - before).toBeLessThan(count);
    await suite.registry.pushImage("shop/idle", ["1.2.0"]);
    await parkedAt("1.2.0");
    await objects.patch(plurals.Deployment, "web-0", PatchStrategy.MergePatch, { spec: { replicas: 1 } });
    await eventually("the one that is scaled up is updated", async () => {
      await pawl.poll();
      const { history = [] } = (await harness.read("deployment-web-0"))?.status ?? {};
      return history.some(({ version, result }) => version === "1.2.0" && result === "Healthy");
    });
    expect((await harness.workload("web-1")).updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [] });
  });
});
