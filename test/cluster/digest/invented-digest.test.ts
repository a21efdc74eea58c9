import { expect, test, vi } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { neverReadyAnnotation } from "../../support/control-plane/kubelet/pull.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { editStatus } from "../auto-update/auto-updates.ts";
import { createSuite } from "../suite.ts";
import { name, openDigestHarness } from "./digest-harness.ts";

const patience = { timeout: 60_000, interval: 100 };
const brokenImage = { annotations: { [neverReadyAnnotation]: "true" } };

describeOnRealCluster("a recorded digest that no pod runs", () => {
  const suite = createSuite();

  test("is not pinned by a failed restart: its pods reported another", async () => {
    const repository = "shop/invented";
    const first = await suite.registry.push(repository, "prod");
    const harness = await openDigestHarness(suite, { repository });
    await harness.createTracked("Deployment", { annotations: { [annotations.rollbackTo]: "digest" } });
    expect(await harness.poll()).toBe(1);
    const { digests, ref, updateRecord } = await harness.workload(name);
    expect(digests).toMatchObject({ deployed: { app: first }, ran: { app: first } });
    expect(updateRecord.versionHistory).toMatchObject([{ version: `prod@${first}`, status: "Healthy" }]);

    const invented = `sha256:${"6".repeat(64)}`;
    await editStatus(harness, ref, { digests: { deployed: { app: invented } } });
    await harness.setHealthTimeout("Deployment", "3m");
    const broken = await suite.registry.push(repository, "prod", brokenImage);
    expect(await harness.poll()).toBe(1);
    expect(await harness.template("Deployment")).toMatchObject({ image: `${harness.image}@${first}` });
    await vi.waitFor(async () => expect(await harness.runningDigests()).toEqual([first, first]), patience);
    const after = await harness.workload(name);
    expect(after.digests).toMatchObject({ pinned: { app: first }, ran: { app: first } });
    expect(after.digests?.previous.at(-1)).toEqual({ app: invented });
    expect(after.updateRecord.failedVersions).toEqual([`prod@${broken}`]);
    await harness.close();
  });
});
