import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { digestOf, marks } from "../support/bootc/objects.ts";
import { type WriteKind } from "../support/bootc/writes.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { type RealRegistry, startRealRegistry } from "../support/real-registry.ts";
import { type NodeLab, type Nodes, openNodeLab } from "./node-lab.ts";
import { both, type Killer, openKiller } from "./pool-kills.ts";

/** Every kind of write, by the story in which Pawl is killed before and after it. */
const stories = {
  claim: "rollout",
  create: "rollout",
  label: "rollout",
  event: "rollout",
  remember: "rollout",
  "take-slot": "rollout",
  cordon: "rollout",
  evict: "rollout",
  approve: "rollout",
  uncordon: "rollout",
  "free-slot": "rollout",
  status: "rollout",
  release: "rollout",
  ask: "update",
  revoke: "deletion",
  unlabel: "deletion",
  delete: "deletion",
  "let-go": "deletion",
  "remember-cordon": "people",
  "leave-cordoned": "people",
  "restart-drain": "people",
} as const satisfies Record<WriteKind, string>;

type Story = (typeof stories)[WriteKind];
const kinds = Object.keys(stories) as readonly WriteKind[];
const killsOf = (story: Story) => both(kinds.filter((kind) => stories[kind] === story));

/** One pool after the other, and the first goes on where the story before has left it. */
describeOnRealCluster("kill -9 at every write of a rollout", () => {
  let folder: string;
  let registry: RealRegistry;
  let lab: NodeLab;
  let killer: Killer;
  let nodes: Nodes;
  let pool: string;
  const images: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "pawl-resume-"));
    registry = await startRealRegistry();
    lab = await openNodeLab(registry);
    killer = await openKiller(lab, folder);
    for (const tag of ["1", "2", "3", "4"]) images.push(await lab.push("os", tag));
    nodes = await lab.nodes(3, image(1));
    for (const name of nodes.names) await lab.deploy(`on-${name}`, 1, { "kubernetes.io/hostname": name });
    pool = lab.named("workers");
  });

  afterAll(async () => {
    await killer?.close();
    await lab?.close();
    await registry?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const image = (number: number) => images[number - 1] ?? "";

  async function stand() {
    const { metadata, status } = (await lab.api.pool(pool)) ?? {};
    const reasons = status?.conditions?.map(({ reason }) => reason);
    return { claim: metadata?.annotations?.["pawl.dev/execution"], deployed: status?.deployedDigest, reasons };
  }

  async function look(name: string) {
    const [node, bootcNode] = await Promise.all([lab.api.node(name), lab.api.bootcNode(name)]);
    const annotations = { ...node?.metadata?.annotations, ...bootcNode?.metadata?.annotations };
    return {
      boots: lab.daemons.machine(name).booted,
      asked: bootcNode?.spec,
      isCordoned: node?.spec?.unschedulable ?? false,
      isManaged: node?.metadata?.labels?.[marks.managed] !== undefined,
      annotations: Object.keys(annotations).filter((key) => /^(pawl|bootc)\.dev\//.test(key)),
    };
  }

  async function tellings(name: string) {
    const { items } = await lab.api.core.listNamespacedEvent({
      namespace: "default",
      fieldSelector: `involvedObject.name=${name}`,
    });
    return items.map(({ reason }) => reason ?? "").toSorted();
  }

  /** Until nothing is left to do; what a person is waited for does not count. */
  const settled = (on: number) => ({
    claim: undefined,
    deployed: digestOf(image(on)),
    reasons: ["AllUpdated", "Healthy"],
  });
  const done = (on: number) => ({
    boots: image(on),
    asked: { desiredImage: image(on), desiredImageState: "Booted" },
    isCordoned: false,
    isManaged: true,
    annotations: ["pawl.dev/image-asked", "pawl.dev/told"],
  });

  test("the first of a pool", async ({ expect }) => {
    await lab.makePool(pool, { nodeSelector: { matchLabels: nodes.labels }, image: { ref: image(2) } });
    await killer.run(killsOf("rollout"));
    expect(await stand()).toEqual(settled(2));
    for (const name of nodes.names) {
      expect(await look(name)).toEqual(done(2));
      expect(await tellings(name)).toEqual(["Idle", "Rebooting", "Staged", "Staging"]);
    }
    await lab.expectNoViolations();
  });
});
