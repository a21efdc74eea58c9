import { CustomObjectsApi, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { nodePoolCrds } from "../../../../infra/local/kubernetes/crds.ts";
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

/** Starts a node with image a and the desired image b; it stages in 10 s and reboots in 20 s. */
function open(labels: Record<string, string> = { "bootc.dev/managed": "" }): Promise<Simulation> {
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "w1", labels } };
  return simulate([...nodePoolCrds(), node, bootcNode], undefined, undefined, {
    bootcAgent: { initialImage: () => image("a"), secondsToStage: 10, secondsToReboot: 20 },
  });
}

interface Observation {
  readonly booted?: string;
  readonly staged?: string;
  readonly rollback?: string;
  readonly activity?: string;
  readonly ready?: string;
}

type Entry = { readonly imageDigest: string } | undefined;

/** Reads the letters of the images, the agent's activity and the Node's readiness. */
async function observe({ core, kubeConfig }: Simulation): Promise<Observation> {
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  const { status = {} } = (await custom.getClusterCustomObject({ ...about, name: "w1" })) as {
    status?: { booted?: Entry; staged?: Entry; rollback?: Entry; conditions?: { type: string; reason: string }[] };
  };
  const { conditions = [] } = (await core.readNode({ name: "w1" })).status ?? {};
  const observation = {
    booted: status.booted?.imageDigest.at(-1),
    staged: status.staged?.imageDigest.at(-1),
    rollback: status.rollback?.imageDigest.at(-1),
    activity: status.conditions?.find(({ type }) => type === "Idle")?.reason,
    ready: conditions.find(({ type }) => type === "Ready")?.status,
  };
  return Object.fromEntries(Object.entries(observation).filter(([, value]) => value !== undefined));
}

async function patchSpec({ kubeConfig }: Simulation, spec: object): Promise<void> {
  const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  await custom.patchClusterCustomObject({ ...about, name: "w1", body: { spec } }, merge);
}

test("a node stages the desired image, waits for approval, and reboots into it", async () => {
  await using simulation = await open();
  expect(await observe(simulation)).toEqual({ booted: "a", activity: "Staging", ready: "True" });
  await simulation.pass(10);
  expect(await observe(simulation)).toEqual({ booted: "a", staged: "b", activity: "Staged", ready: "True" });
  await simulation.pass(60);
  expect(await observe(simulation)).toMatchObject({ activity: "Staged" });
  await patchSpec(simulation, { desiredImageState: "Booted" });
  await simulation.pass(19);
  expect(await observe(simulation)).toEqual({ booted: "a", staged: "b", activity: "Rebooting", ready: "False" });
  await simulation.pass(1);
  expect(await observe(simulation)).toEqual({ booted: "b", rollback: "a", activity: "Idle", ready: "True" });
});

test("a change of the desired image cancels staging and discards the staged image", async () => {
  await using simulation = await open();
  await simulation.pass(5);
  await patchSpec(simulation, { desiredImage: image("c") });
  await simulation.pass(9);
  expect(await observe(simulation)).toEqual({ booted: "a", activity: "Staging", ready: "True" });
  await simulation.pass(1);
  expect(await observe(simulation)).toMatchObject({ staged: "c", activity: "Staged" });
  await patchSpec(simulation, { desiredImage: image("b"), desiredImageState: "Booted" });
  expect(await observe(simulation)).toMatchObject({ activity: "Staging", ready: "True" });
  await patchSpec(simulation, { desiredImage: image("a") });
  await simulation.pass(30);
  expect(await observe(simulation)).toMatchObject({ booted: "a", activity: "Idle", ready: "True" });
});

test("a request during a reboot is handled after it", async () => {
  await using simulation = await open();
  await simulation.pass(10);
  await patchSpec(simulation, { desiredImageState: "Booted" });
  await patchSpec(simulation, { desiredImage: image("c"), desiredImageState: "Staged" });
  await simulation.pass(20);
  expect(await observe(simulation)).toEqual({ booted: "b", rollback: "a", activity: "Staging", ready: "True" });
});

test("a node without the label has no agent", async () => {
  await using simulation = await open({});
  await simulation.pass(20);
  expect(await observe(simulation)).toEqual({ ready: "True" });
  await simulation.core.patchNode(
    { name: "w1", body: { metadata: { labels: { "bootc.dev/managed": "" } } } },
    setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
  );
  expect(await observe(simulation)).toMatchObject({ activity: "Staging" });
});
