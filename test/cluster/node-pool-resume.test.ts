import { beforeAll, test } from "vitest";
import { digestOf, marks } from "../support/bootc/objects.ts";
import type { WriteKind } from "../support/bootc/writes.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { type NodeLab, type Nodes, openNodeLab } from "./node-lab.ts";
import { both, type Killer, openKiller } from "./pool-kills.ts";
import { suiteWithRegistry } from "./suite.ts";

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

const kinds = Object.keys(stories) as readonly WriteKind[];
const killsOf = (story: string) => both(kinds.filter((kind) => stories[kind] === story));
/** Each life begins with two seconds of work for a processor. */
const manyLives = { timeout: 300_000 };
const patience = { timeout: 60_000, interval: 50 };

/** Each story goes on where the one before has left the nodes. */
describeOnRealCluster("kill -9 at every write of a rollout, and start again", () => {
  const suite = suiteWithRegistry();
  let lab: NodeLab;
  let killer: Killer;
  let nodes: Nodes;
  let pool: string;
  const images: string[] = [];

  beforeAll(async () => {
    lab = suite.closing(await openNodeLab(suite.registry));
    killer = suite.closing(openKiller({ lab, folder: suite.folder }));
    for (const tag of ["0", "1", "2", "3", "4"]) images.push(await lab.push("os", tag));
    nodes = await lab.nodes(3, image(0));
    for (const name of nodes.names) await lab.deploy(`on-${name}`, 1, { "kubernetes.io/hostname": name });
    pool = lab.named("workers");
  });

  const image = (number: number) => images[number] ?? "";

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
      marks: Object.keys(annotations).filter((key) => /^(pawl|bootc)\.dev\//.test(key)),
    };
  }

  async function holder({ names }: Nodes): Promise<string> {
    const looks = await Promise.all(names.map(look));
    return names.find((_, index) => looks[index]?.marks.includes(marks.slot)) ?? "";
  }

  /** What was told of a node by now; what is told twice is there twice. */
  async function toldOf(name: string) {
    const request = { namespace: "default", fieldSelector: `involvedObject.name=${name}` };
    const { items } = await lab.api.core.listNamespacedEvent(request);
    // Of a clock that is this fast, minutes pass while nobody drains.
    return items.flatMap(({ reason = "" }) => (reason === "DrainTakingTooLong" ? [] : [reason])).toSorted();
  }

  const rolledOut = (on: number) => ({
    claim: undefined,
    deployed: digestOf(image(on)),
    reasons: ["AllUpdated", "Healthy"],
  });
  const settled = (on: number) => ({
    boots: image(on),
    asked: { desiredImage: image(on), desiredImageState: "Booted" },
    isCordoned: false,
    isManaged: true,
    marks: ["pawl.dev/image-asked", "pawl.dev/told"],
  });

  test("nodes that join a pool", manyLives, async ({ expect }) => {
    await lab.makePool(pool, { nodeSelector: { matchLabels: nodes.labels }, image: { ref: image(1) } });
    await killer.run(killsOf("rollout"));
    expect(await stand()).toEqual(rolledOut(1));
    for (const name of nodes.names) {
      expect(await look(name)).toEqual(settled(1));
      expect(await toldOf(name)).toEqual(["Idle", "Rebooting", "Staged", "Staging"]);
    }
    expect(killer.troubles).toEqual([]);
    await lab.expectNoViolations();
  });

  test("nodes that are asked for another image", async ({ expect }) => {
    await lab.setImage(pool, image(2));
    await killer.run(killsOf("update"));
    expect(await stand()).toEqual(rolledOut(2));
    for (const name of nodes.names) expect(await look(name)).toEqual(settled(2));
    expect(killer.troubles).toEqual([]);
    await lab.expectNoViolations();
  });

  test("a pool that is deleted while a node is about to reboot", manyLives, async ({ expect }) => {
    for (const name of nodes.names) lab.daemons.fault(name, "never-reboots");
    await lab.setImage(pool, image(3));
    const run = killer.run([...killsOf("deletion"), ...both(["uncordon"])]);
    const asked = { desiredImage: image(3), desiredImageState: "Booted" };
    const looks = () => Promise.all(nodes.names.map(look));
    await expect.poll(looks, patience).toContainEqual(expect.objectContaining({ asked }));
    await lab.deletePool(pool);
    await run;
    expect(await lab.api.pool(pool)).toBeNull();
    for (const name of nodes.names) {
      const left = { asked: undefined, isCordoned: false, isManaged: false, marks: [] };
      expect(await look(name)).toEqual({ ...left, boots: image(2) });
    }
    expect(killer.troubles).toEqual([]);
    await lab.expectNoViolations();
  });

  test("people who cordon, keep a cordon, and hold up a drain meanwhile", manyLives, async ({ expect }) => {
    const two = await lab.nodes(2, image(3));
    await lab.deploy("held", 1, { "kubernetes.io/hostname": two.names[0] ?? "" });
    await lab.budget("held", 1);
    pool = lab.named("others");
    const rollout = { drainTimeoutSeconds: 60 };
    await lab.makePool(pool, { nodeSelector: { matchLabels: two.labels }, image: { ref: image(4) }, rollout });
    const kept = { metadata: { annotations: { [marks.wasCordoned]: "true" } } };
    await killer.run([...killsOf("people"), "after take-slot", "after cordon"], {
      "after take-slot": async () => lab.cordon(await holder(two), true),
      "after restart-drain": () => lab.scale("held", 0),
      "after cordon": async () => lab.api.patch("bootcnodes", await holder(two), kept),
    });
    expect(await stand()).toEqual(rolledOut(4));
    for (const name of two.names) expect(await look(name)).toEqual({ ...settled(4), isCordoned: true });
    expect(killer.troubles).toEqual([]);
    await lab.expectNoViolations();
  });

  test("there is no other kind of write, and none that Pawl was not killed before and after", async ({ expect }) => {
    expect([...killer.seen].toSorted()).toEqual(kinds.toSorted());
    expect(new Set(killer.kills)).toEqual(new Set(both(kinds)));
  });
});
