import type { V1Node } from "@kubernetes/client-node";
import { beforeAll, describe, test } from "vitest";
import type { Fault } from "../support/bootc/machine.ts";
import { type BootcNodeObject, digestOf, type Entry, marks } from "../support/bootc/objects.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { type NodeLab, openNodeLab } from "./node-lab.ts";
import { suiteWithRegistry } from "./suite.ts";

const patience = { timeout: 20_000, interval: 25 };

describeOnRealCluster("the simulated daemon of bootc-operator", () => {
  const suite = suiteWithRegistry();
  let lab: NodeLab;
  let imageA: string;
  let imageB: string;
  let imageC: string;

  beforeAll(async () => {
    lab = suite.closing(await openNodeLab(suite.registry));
    [imageA, imageB, imageC] = (await Promise.all(["a", "b", "c"].map((tag) => lab.push("os", tag)))) as [
      string,
      string,
      string,
    ];
  });

  /** A Node that is managed, and asked for an image, by hand. */
  async function asked(desiredImage: string, fault?: Fault): Promise<string> {
    const { names } = await lab.nodes(1, imageA);
    const name = names[0] as string;
    if (fault !== undefined) lab.daemons.fault(name, fault);
    const spec = { desiredImage, desiredImageState: "Staged" };
    await lab.api.create("bootcnodes", {
      apiVersion: "node.bootc.dev/v1alpha1",
      kind: "BootcNode",
      metadata: { name },
      spec,
    });
    await lab.label(name, { [marks.managed]: "" });
    return name;
  }

  const ask = (name: string, spec: object) => lab.api.patch("bootcnodes", name, { spec });

  const look = (name: string) => async () => seen(await lab.api.bootcNode(name), await lab.api.node(name));

  describe.concurrent("does what is asked of it", () => {
    test("stages, reboots when it is told, and says each transition once", async ({ expect }) => {
      const name = await asked(imageB);
      await expect
        .poll(look(name), patience)
        .toMatchObject({ idle: "Staged", booted: imageA, staged: imageB, rollback: undefined, error: undefined });
      await ask(name, { desiredImageState: "Booted" });
      await expect
        .poll(look(name), patience)
        .toMatchObject({ idle: "Idle", booted: imageB, staged: undefined, rollback: imageA, ready: true });
      const own = lab.happenings().filter(({ object }) => object.metadata?.name === name);
      const said = own.flatMap(({ kind, object }) => (kind === "BootcNode" ? [seen(object, null).idle] : []));
      expect(said.filter((idle, index) => idle !== said[index - 1])).toEqual([
        "Staging",
        "Staged",
        "Rebooting",
        "Idle",
      ]);
      expect(own.some(({ kind, object }) => kind === "Node" && !isNodeReady(object))).toBe(true);
    });

    test("is idle where it runs what is asked for, and stages another that is asked for meanwhile", async ({
      expect,
    }) => {
      const name = await asked(imageA);
      await expect.poll(look(name), patience).toMatchObject({ idle: "Idle", booted: imageA, staged: undefined });
      await ask(name, { desiredImage: imageB });
      await expect.poll(look(name), patience).toMatchObject({ idle: "Staged", staged: imageB });
      await ask(name, { desiredImage: imageC, desiredImageState: "Booted" });
      await expect.poll(look(name), patience).toMatchObject({ idle: "Idle", booted: imageC, rollback: imageA });
    });

    test("runs only while its Node bears the label", async ({ expect }) => {
      const name = await asked(imageA);
      await expect.poll(look(name), patience).toMatchObject({ idle: "Idle" });
      await lab.label(name, { [marks.managed]: null });
      const before = (await lab.api.bootcNode(name))?.status;
      await ask(name, { desiredImage: imageB });
      await expect.poll(look(await asked(imageB)), patience).toMatchObject({ idle: "Staged" });
      expect((await lab.api.bootcNode(name))?.status).toEqual(before);
      await lab.label(name, { [marks.managed]: "" });
      await expect.poll(look(name), patience).toMatchObject({ idle: "Staged", staged: imageB });
    });
  });

  describe.concurrent("has faults, and is healed of them", () => {
    test("staging fails, for one that the registry does not have as for one that it has", async ({ expect }) => {
      const name = await asked(imageA.replace(/.{8}$/, "00000000"));
      await expect.poll(look(name), patience).toMatchObject({
        idle: "Idle",
        booted: imageA,
        staged: undefined,
        error: expect.stringContaining("stage failed"),
      });
      lab.daemons.fault(name, "stage-fails");
      await ask(name, { desiredImage: imageB });
      await expect.poll(look(name), patience).toMatchObject({ idle: "Idle", error: `stage failed: ${imageB}` });
      lab.daemons.heal(name);
      await expect.poll(look(name), patience).toMatchObject({ idle: "Staged", staged: imageB, error: undefined });
    });

    test.for([
      { fault: "never-reboots", while: { idle: "Rebooting", a: true }, ready: true },
      { fault: "comes-back-not-ready", while: { idle: "Idle", a: false }, ready: false },
      { fault: "comes-back-degraded", while: { idle: "Idle", a: false, error: "bootc status failed" }, ready: true },
    ] as const)("$fault", async ({ fault, while: { a, ...said }, ready }, { expect }) => {
      const name = await asked(imageB, fault);
      await expect.poll(look(name), patience).toMatchObject({ idle: "Staged" });
      await ask(name, { desiredImageState: "Booted" });
      await expect.poll(look(name), patience).toMatchObject({ ...said, booted: a ? imageA : imageB, ready });
      lab.daemons.heal(name);
      await expect
        .poll(look(name), patience)
        .toMatchObject({ idle: "Idle", booted: imageB, error: undefined, ready: true });
    });

    test("comes back on the old image, again and again", async ({ expect }) => {
      const name = await asked(imageB, "comes-back-on-old-image");
      await expect.poll(look(name), patience).toMatchObject({ idle: "Staged" });
      await ask(name, { desiredImageState: "Booted" });
      await expect.poll(look(name), patience).toMatchObject({ booted: imageA, rollback: imageB });
      lab.daemons.heal(name);
      await expect.poll(look(name), patience).toMatchObject({ idle: "Idle", booted: imageB, rollback: imageA });
    });

    test("says nothing until it is healed", async ({ expect }) => {
      const name = await asked(imageB, "silent");
      const other = await asked(imageB);
      await expect.poll(look(other), patience).toMatchObject({ idle: "Staged" });
      expect((await lab.api.bootcNode(name))?.status).toBeUndefined();
      lab.daemons.heal(name);
      await expect.poll(look(name), patience).toMatchObject({ idle: "Staged" });
    });
  });
});

function isNodeReady(node: V1Node | null): boolean {
  return node?.status?.conditions?.some((one) => one.type === "Ready" && one.status === "True") ?? false;
}

/** What a daemon says, in short, and its Node. */
function seen(bootcNode: BootcNodeObject | null, node: V1Node | null) {
  const { booted, staged, rollback, conditions = [] } = bootcNode?.status ?? {};
  const idle = conditions.find(({ type }) => type === "Idle")?.reason;
  const error = conditions.find(({ type, status }) => type === "Degraded" && status === "True")?.message;
  return { idle, booted: of(booted), staged: of(staged), rollback: of(rollback), error, ready: isNodeReady(node) };
}

function of(entry: Entry | null | undefined): string | undefined {
  if (entry && entry.imageDigest !== digestOf(entry.image))
    throw new Error(`${entry.image} is not ${entry.imageDigest}`);
  return entry?.image;
}
