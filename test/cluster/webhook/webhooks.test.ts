import { beforeAll, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { hasKubectl, runKubectl } from "../../support/run-kubectl.ts";
import { type MutateContainers, startWebhook } from "../../support/real/webhook.ts";
import { openAutoUpdateHarness } from "../auto-update/auto-update-harness.ts";
import { createSuite } from "../suite.ts";

const name = "web";
const record = "deployment-web";
const optedIn = { [annotations.autoUpdate]: "true", [annotations.versionConstraint]: ">=1.0.0-0" };

describeOnRealCluster("a mutating webhook that changes what Pawl writes", () => {
  const suite = createSuite();
  const digests = new Map<string, string>();

  async function push(repository: string, ...tags: readonly string[]) {
    for (const tag of tags) digests.set(`${repository}:${tag}`, await suite.registry.push(`shop/${repository}`, tag));
  }

  beforeAll(async () => {
    for (const repository of ["pinned", "failing", "undone", "late", "canary", "partition"])
      await push(repository, "1.0.0");
    for (const repository of ["mirrored", "reset", "sidecar"]) await push(repository, "1.0.0", "1.1.0");
  });

  /** Adds the digest of each tag, as Kyverno and policy-controller do. */
  const pin: MutateContainers = (containers) =>
    containers.map((one) => {
      const [repository = ""] = one.image.split("/").slice(-1);
      return one.image.includes("@") ? one : { ...one, image: `${one.image}@${digests.get(repository)}` };
    });

  async function start(
    repository: string,
    mutate?: MutateContainers,
    kind: "Deployment" | "StatefulSet" = "Deployment",
    own: Record<string, string> = {},
  ) {
    const harness = await openAutoUpdateHarness(suite);
    const webhook = suite.closeAfterAll(await startWebhook(harness.kubeConfig, harness.namespace, mutate));
    const pawl = await harness.startPawl();
    const image = (tag: string) => `${suite.registry.host}/shop/${repository}:${tag}`;
    await harness.create(kind, name, image("1.0.0"), { ...optedIn, [annotations.healthTimeout]: "5m", ...own });
    const runs = () => harness.imageOf(kind, name);
    const pinned = (tag: string) => `${image(tag)}@${digests.get(`${repository}:${tag}`)}`;
    return { harness, webhook, pawl, image, pinned, runs };
  }

  test.concurrent("a digest beside the tag: the update succeeds, and so does the next", async ({ expect }) => {
    const { harness, pawl, pinned, runs } = await start("pinned", pin);
    await harness.settle(pawl);
    expect(await runs()).toBe(pinned("1.0.0"));
    for (const tag of ["1.1.0", "1.2.0"]) {
      await push("pinned", tag);
      await harness.settle(pawl);
      expect(await runs()).toBe(pinned(tag));
      expect((await harness.read(record))?.status).toMatchObject({ state: "UpToDate", history: expect.anything() });
      expect((await harness.workload(name)).updateRecord.versionHistory.at(-1)).toMatchObject({
        version: tag,
        status: "Healthy",
      });
    }
  });

  test.concurrent("a digest beside the tag of a version that fails: it is rolled back and blamed", async ({
    expect,
  }) => {
    const { harness, pawl, pinned, runs } = await start("failing", pin);
    await harness.settle(pawl);
    await push("failing", "1.1.0-bad");
    await harness.settle(pawl);
    expect(await runs()).toBe(pinned("1.0.0"));
    const { updateRecord } = await harness.workload(name);
    expect(updateRecord).toMatchObject({ failedVersions: ["1.1.0-bad"], rollbackCount: 1 });
  });

  test.skipIf(!hasKubectl())(
    "a digest beside the tag, and kubectl rollout undo: the earlier version stays",
    async ({ expect }) => {
      const { harness, pawl, pinned, runs } = await start("undone", pin);
      await harness.settle(pawl);
      await push("undone", "1.1.0");
      await harness.settle(pawl);
      expect(await runs()).toBe(pinned("1.1.0"));
      await runKubectl(["rollout", "undo", "deployment", name, "-n", harness.namespace]);
      await harness.settle(pawl, 2);
      expect(await runs()).toBe(pinned("1.0.0"));
      expect((await harness.read(record))?.status).toMatchObject({
        state: "Held",
        reason: "ManualChange",
        running: { version: "1.0.0", image: pinned("1.0.0") },
        conditions: [{ type: "Ready", reason: "Held" }],
      });
      await push("undone", "1.2.0");
      await harness.settle(pawl);
      expect(await runs()).toBe(pinned("1.2.0"));
    },
  );

  test.concurrent.for([
    { what: "a rollout", repository: "late", kind: "Deployment", own: {} },
    { what: "a canary beside it", repository: "canary", kind: "Deployment", own: { [annotations.canary]: "1" } },
    { what: "a canary in it", repository: "partition", kind: "StatefulSet", own: { [annotations.canary]: "1" } },
  ] as const)("a digest added to what Pawl writes in $what: it is Pawl's own image", async (given, { expect }) => {
    const { repository, kind, own } = given;
    const { harness, webhook, pawl, image, pinned, runs } = await start(repository, undefined, kind, own);
    await harness.settle(pawl);
    expect(await runs()).toBe(image("1.0.0"));
    webhook.mutate = pin;
    await push(repository, "1.1.0");
    await harness.settle(pawl);
    expect(await runs()).toBe(pinned("1.1.0"));
    const { status } = (await harness.read(`${kind.toLowerCase()}-${name}`)) ?? {};
    expect(status).toMatchObject({
      state: "UpToDate",
      running: { image: pinned("1.1.0"), version: "1.1.0" },
      history: [{ version: "1.1.0", result: "Healthy" }],
    });
    await push(repository, "1.2.0-bad");
    await harness.settle(pawl);
    expect(await runs()).toBe(pinned("1.1.0"));
    expect((await harness.workload(name)).updateRecord.failedVersions).toEqual(["1.2.0-bad"]);
  });

  test.concurrent.for([
    {
      when: "another registry",
      repository: "mirrored",
      mutate: (image: string) => image.replace("/shop/", "/mirror/"),
      becomes: "/mirror/mirrored:1.1.0",
    },
    {
      when: "the tag before",
      repository: "reset",
      mutate: (image: string) => image.replace(":1.1.0", ":1.0.0"),
      becomes: "/shop/reset:1.0.0",
    },
  ])("$when: it is reverted at once, refused and backed off", async ({ repository, mutate, becomes }, { expect }) => {
    const { harness, webhook, pawl, image, runs } = await start(repository);
    webhook.mutate = (containers) =>
      containers.map((one) => (one.image.endsWith(":1.0.0") ? one : { ...one, image: mutate(one.image) }));
    await harness.settle(pawl);
    expect(await runs()).toBe(image("1.0.0"));
    const { status } = (await harness.read(record)) ?? {};
    expect(status).toMatchObject({
      state: "Waiting",
      reason: "Refused",
      backOff: { reason: "Refused", message: expect.stringContaining(becomes), attempts: 1 },
    });
    expect(status).not.toHaveProperty("update");
    expect(status?.failedVersions ?? []).toEqual([]);
    expect(JSON.stringify(status?.history ?? [])).not.toContain("1.1.0");
    webhook.mutate = (containers) => containers;
    await suite.registry.push(`shop/${repository}`, "1.2.0");
    await harness.settle(pawl);
    expect(await runs()).toBe(image("1.2.0"));
  });

  test.concurrent("a sidecar: the update succeeds", async ({ expect }) => {
    const sidecar = { name: "proxy", image: "registry.example/proxy:1" };
    const { harness, pawl, image, runs } = await start("sidecar", (containers) => [
      ...containers.filter((one) => one.name !== sidecar.name),
      sidecar,
    ]);
    await harness.settle(pawl);
    expect(await runs()).toBe(image("1.1.0"));
    const { updateRecord } = await harness.workload(name);
    expect(updateRecord.versionHistory.at(-1)).toMatchObject({ version: "1.1.0", status: "Healthy" });
  });
});
