import { beforeAll, test } from "vitest";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { createSuite } from "../suite.ts";
import { openAutoUpdateHarness } from "./auto-update-harness.ts";

const record = "deployment-web";
const policy = { versionConstraint: ">=1.0.0-0", versioning: "semver", healthTimeout: "60s" };

describeOnRealCluster("the records of an AutoUpdate that its owner keeps", () => {
  const suite = createSuite();

  beforeAll(async () => {
    for (const repository of ["again", "moved", "enterprise"])
      await suite.registry.pushImage(`shop/${repository}`, ["1.0.0", "1.1.0-bad"]);
  });

  /** 1.1.0-bad has failed. */
  async function start(repository: string) {
    const harness = await openAutoUpdateHarness(suite);
    const image = (tag: string, of = repository) => `${suite.registry.host}/shop/${of}:${tag}`;
    await harness.createPlain("Deployment", "web", image("1.0.0"));
    await harness.write(record, { policy });
    const pawl = await harness.startPawl();
    await harness.settle(pawl, 2);
    const status = async () => (await harness.read(record))?.status;
    return { harness, pawl, image, status };
  }

  test.concurrent("start again for a workload of the same name, and an Event says so", async ({ expect }) => {
    const { harness, pawl, image, status } = await start("again");
    expect(await status()).toMatchObject({ failedVersions: ["1.1.0-bad"], rollbackCount: 1 });
    await harness.deleteDeployment("web");
    await harness.createPlain("Deployment", "web", image("1.0.0"));
    await pawl.poll();
    expect(await harness.eventsOf("web")).toContain("AutoUpdateRecordsReset");
    await harness.settle(pawl, 0);
    expect((await status())?.target?.uid).toBe((await harness.workload("web")).ref.uid);
    expect((await status())?.history ?? []).toHaveLength(0);
  });

  test.concurrent("start again for another repository, whose failures count again after a return", async ({
    expect,
  }) => {
    const { harness, pawl, image, status } = await start("moved");
    expect(await status()).toMatchObject({ failedVersions: ["1.1.0-bad"] });
    await harness.setImage("web", image("1.2.0", "enterprise"));
    await harness.settle(pawl);
    expect(await status()).toMatchObject({
      running: { version: "1.2.0" },
      earlier: { repository: `${suite.registry.host}/shop/moved`, failedVersions: ["1.1.0-bad"] },
    });
    expect(await status()).not.toHaveProperty("failedVersions");
    await harness.setImage("web", image("1.0.0"));
    await harness.settle(pawl, 2);
    expect(await status()).toMatchObject({ failedVersions: ["1.1.0-bad"], running: { version: "1.0.0" } });
  });
});
