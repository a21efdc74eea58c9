import { CustomObjectsApi, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { nodePoolCrds } from "../../../../infra/local/cluster/node-pool-crds.ts";
import { simulate, type Simulation } from "./simulation.ts";

const about = { group: "node.bootc.dev", version: "v1alpha1", plural: "bootcnodes" };
const image = (letter: string) => `quay.io/example/myos@${digest(letter)}`;
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

const bootcNode = {
  apiVersion: "node.bootc.dev/v1alpha1",
  kind: "BootcNode",
  metadata: { name: "w1" },
  spec: { desiredImage: image("b") },
};

/** A node that runs image a and is asked to run b; it stages in 10 s and reboots in 20 s. */
function open(labels: Record<string, string> = { "bootc.dev/managed": "" }): Promise<Simulation> {
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "w1", labels } };
  return simulate([...nodePoolCrds(), node, bootcNode], undefined, undefined, {
    bootcAgent: { bootedAtFirst: () => image("a"), secondsToStage: 10, secondsToReboot: 20 },
  });
}

interface Seen {
  readonly booted?: string;
  readonly staged?: string;
  readonly rollback?: string;
  readonly activity?: string;
  readonly ready?: string;
}

type Entry = { readonly imageDigest: string } | undefined;

/** The letters of the images, what the agent says that it does, and whether the Node is Ready. */
async function look({ core, kubeConfig }: Simulation): Promise<Seen> {
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  const { status = {} } = (await custom.getClusterCustomObject({ ...about, name: "w1" })) as {
    status?: { booted?: Entry; staged?: Entry; rollback?: Entry; conditions?: { type: string; reason: string }[] };
  };
  const { conditions = [] } = (await core.readNode({ name: "w1" })).status ?? {};
  const seen = {
    booted: status.booted?.imageDigest.at(-1),
    staged: status.staged?.imageDigest.at(-1),
    rollback: status.rollback?.imageDigest.at(-1),
    activity: status.conditions?.find(({ type }) => type === "Idle")?.reason,
    ready: conditions.find(({ type }) => type === "Ready")?.status,
  };
  return Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined));
}

async function ask({ kubeConfig }: Simulation, spec: object): Promise<void> {
  const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  await custom.patchClusterCustomObject({ ...about, name: "w1", body: { spec } }, merge);
}

test("a node stages what it is asked for, waits for leave, and reboots into it", async () => {
  await using simulation = await open();
  expect(await look(simulation)).toEqual({ booted: "a", activity: "Staging", ready: "True" });
  await simulation.pass(10);
  expect(await look(simulation)).toEqual({ booted: "a", staged: "b", activity: "Staged", ready: "True" });
  await simulation.pass(60);
  expect(await look(simulation)).toMatchObject({ activity: "Staged" });
  await ask(simulation, { desiredImageState: "Booted" });
  await simulation.pass(19);
  expect(await look(simulation)).toEqual({ booted: "a", staged: "b", activity: "Rebooting", ready: "False" });
  await simulation.pass(1);
  expect(await look(simulation)).toEqual({ booted: "b", rollback: "a", activity: "Idle", ready: "True" });
});

test("another image calls off what is being staged, and what is staged", async () => {
  await using simulation = await open();
  await simulation.pass(5);
  await ask(simulation, { desiredImage: image("c") });
  await simulation.pass(9);
  expect(await look(simulation)).toEqual({ booted: "a", activity: "Staging", ready: "True" });
  await simulation.pass(1);
  expect(await look(simulation)).toMatchObject({ staged: "c", activity: "Staged" });
  await ask(simulation, { desiredImage: image("b"), desiredImageState: "Booted" });
  expect(await look(simulation)).toMatchObject({ activity: "Staging", ready: "True" });
  await ask(simulation, { desiredImage: image("a") });
  await simulation.pass(30);
  expect(await look(simulation)).toMatchObject({ booted: "a", activity: "Idle", ready: "True" });
});

test("what is asked for while a node is down is done when it is back", async () => {
  await using simulation = await open();
  await simulation.pass(10);
  await ask(simulation, { desiredImageState: "Booted" });
  await ask(simulation, { desiredImage: image("c"), desiredImageState: "Staged" });
  await simulation.pass(20);
  expect(await look(simulation)).toEqual({ booted: "b", rollback: "a", activity: "Staging", ready: "True" });
});

test("a node without the label has no agent", async () => {
  await using simulation = await open({});
  await simulation.pass(20);
  expect(await look(simulation)).toEqual({ ready: "True" });
  await simulation.core.patchNode(
    { name: "w1", body: { metadata: { labels: { "bootc.dev/managed": "" } } } },
    setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
  );
  expect(await look(simulation)).toMatchObject({ activity: "Staging" });
});
