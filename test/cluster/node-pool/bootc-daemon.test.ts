import type { V1Node } from "@kubernetes/client-node";
import { beforeAll, describe, test } from "vitest";
import type { Fault } from "../../support/bootc/machine.ts";
import { type BootcNodeObject, digestOf, type BootEntry, metadataKeys } from "../../support/bootc/objects.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { type NodeHarness, openNodeHarness } from "./node-harness.ts";
import { createSuite } from "../suite.ts";

const patience = { timeout: 60_000, interval: 25 };

describeOnRealCluster("the simulated daemon of bootc-operator", () => {
  const suite = createSuite();
  let harness: NodeHarness;
  let imageA: string;
  let imageB: string;
  let imageC: string;

  beforeAll(async () => {
    harness = suite.closeAfterAll(await openNodeHarness(suite.registry));
    [imageA, imageB, imageC] = (await Promise.all(["a", "b", "c"].map((tag) => harness.push("os", tag)))) as [
      string,
      string,
      string,
    ];
  });

  /** Creates a managed Node whose BootcNode requests an image, without Pawl. */
  async function createManagedNode(desiredImage: string, fault?: Fault): Promise<string> {
    const { names } = await harness.createNodes(1, imageA);
    const name = names[0] as string;
    if (fault !== undefined) harness.daemons.fault(name, fault);
    const spec = { desiredImage, desiredImageState: "Staged" };
    await harness.api.create("bootcnodes", {
      apiVersion: "node.bootc.dev/v1alpha1",
      kind: "BootcNode",
      metadata: { name },
      spec,
    });
    await harness.label(name, { [metadataKeys.managed]: "" });
    return name;
  }

  const patchSpec = (name: string, spec: object) => harness.api.patch("bootcnodes", name, { spec });

  const observe = (name: string) => async () =>
    summarize(await harness.api.bootcNode(name), await harness.api.node(name));

  describe.concurrent("applies the spec", () => {
    test("stages, reboots on request, and reports each transition once", async ({ expect }) => {
      const name = await createManagedNode(imageB);
      await expect
        .poll(observe(name), patience)
        .toMatchObject({ idle: "Staged", booted: imageA, staged: imageB, rollback: undefined, error: undefined });
      await patchSpec(name, { desiredImageState: "Booted" });
      await expect
        .poll(observe(name), patience)
        .toMatchObject({ idle: "Idle", booted: imageB, staged: undefined, rollback: imageA, ready: true });
      const nodeChanges = harness.changes().filter(({ object }) => object.metadata?.name === name);
      const reasons = nodeChanges.flatMap(({ kind, object }) =>
        kind === "BootcNode" ? [summarize(object, null).idle] : [],
      );
      expect(reasons.filter((idle, index) => idle !== reasons[index - 1])).toEqual([
        "Staging",
        "Staged",
        "Rebooting",
        "Idle",
      ]);
      expect(nodeChanges.some(({ kind, object }) => kind === "Node" && !isNodeReady(object))).toBe(true);
    });

    test("is idle if it runs the desired image, and stages another desired image that is set meanwhile", async ({
      expect,
    }) => {
      const name = await createManagedNode(imageA);
      await expect.poll(observe(name), patience).toMatchObject({ idle: "Idle", booted: imageA, staged: undefined });
      await patchSpec(name, { desiredImage: imageB });
      await expect.poll(observe(name), patience).toMatchObject({ idle: "Staged", staged: imageB });
      await patchSpec(name, { desiredImage: imageC, desiredImageState: "Booted" });
      await expect.poll(observe(name), patience).toMatchObject({ idle: "Idle", booted: imageC, rollback: imageA });
    });

    test("runs only while its Node has the label", async ({ expect }) => {
      const name = await createManagedNode(imageA);
      await expect.poll(observe(name), patience).toMatchObject({ idle: "Idle" });
      await harness.label(name, { [metadataKeys.managed]: null });
      const before = (await harness.api.bootcNode(name))?.status;
      await patchSpec(name, { desiredImage: imageB });
      await expect.poll(observe(await createManagedNode(imageB)), patience).toMatchObject({ idle: "Staged" });
      expect((await harness.api.bootcNode(name))?.status).toEqual(before);
      await harness.label(name, { [metadataKeys.managed]: "" });
      await expect.poll(observe(name), patience).toMatchObject({ idle: "Staged", staged: imageB });
    });
  });

  describe.concurrent("recovers from faults", () => {
    test("staging fails, both for a missing image and for an existing one", async ({ expect }) => {
      const name = await createManagedNode(imageA.replace(/.{8}$/, "00000000"));
      await expect.poll(observe(name), patience).toMatchObject({
        idle: "Idle",
        booted: imageA,
        staged: undefined,
        error: expect.stringContaining("stage failed"),
      });
      harness.daemons.fault(name, "stage-fails");
      await patchSpec(name, { desiredImage: imageB });
      await expect.poll(observe(name), patience).toMatchObject({ idle: "Idle", error: `stage failed: ${imageB}` });
      harness.daemons.heal(name);
      await expect.poll(observe(name), patience).toMatchObject({ idle: "Staged", staged: imageB, error: undefined });
    });

    test.for([
      { fault: "never-reboots", during: { idle: "Rebooting", runsOldImage: true }, ready: true },
      { fault: "comes-back-not-ready", during: { idle: "Idle", runsOldImage: false }, ready: false },
      {
        fault: "comes-back-degraded",
        during: { idle: "Idle", runsOldImage: false, error: "bootc status failed" },
        ready: true,
      },
    ] as const)("$fault", async ({ fault, during: { runsOldImage, ...summary }, ready }, { expect }) => {
      const name = await createManagedNode(imageB, fault);
      await expect.poll(observe(name), patience).toMatchObject({ idle: "Staged" });
      await patchSpec(name, { desiredImageState: "Booted" });
      await expect
        .poll(observe(name), patience)
        .toMatchObject({ ...summary, booted: runsOldImage ? imageA : imageB, ready });
      harness.daemons.heal(name);
      await expect
        .poll(observe(name), patience)
        .toMatchObject({ idle: "Idle", booted: imageB, error: undefined, ready: true });
    });

    test("boots the old image repeatedly", async ({ expect }) => {
      const name = await createManagedNode(imageB, "comes-back-on-old-image");
      await expect.poll(observe(name), patience).toMatchObject({ idle: "Staged" });
      await patchSpec(name, { desiredImageState: "Booted" });
      await expect.poll(observe(name), patience).toMatchObject({ booted: imageA, rollback: imageB });
      harness.daemons.heal(name);
      await expect.poll(observe(name), patience).toMatchObject({ idle: "Idle", booted: imageB, rollback: imageA });
    });

    test("reports no status until it is healed", async ({ expect }) => {
      const name = await createManagedNode(imageB, "silent");
      const other = await createManagedNode(imageB);
      await expect.poll(observe(other), patience).toMatchObject({ idle: "Staged" });
      expect((await harness.api.bootcNode(name))?.status).toBeUndefined();
      harness.daemons.heal(name);
      await expect.poll(observe(name), patience).toMatchObject({ idle: "Staged" });
    });
  });
});

function isNodeReady(node: V1Node | null): boolean {
  return node?.status?.conditions?.some((one) => one.type === "Ready" && one.status === "True") ?? false;
}

/** Returns a summary of the status of a BootcNode and of its Node. */
function summarize(bootcNode: BootcNodeObject | null, node: V1Node | null) {
  const { booted, staged, rollback, conditions = [] } = bootcNode?.status ?? {};
  const idle = conditions.find(({ type }) => type === "Idle")?.reason;
  const error = conditions.find(({ type, status }) => type === "Degraded" && status === "True")?.message;
  return {
    idle,
    booted: checkedImage(booted),
    staged: checkedImage(staged),
    rollback: checkedImage(rollback),
    error,
    ready: isNodeReady(node),
  };
}

function checkedImage(entry: BootEntry | null | undefined): string | undefined {
  if (entry && entry.imageDigest !== digestOf(entry.image))
    throw new Error(`${entry.image} is not ${entry.imageDigest}`);
  return entry?.image;
}
