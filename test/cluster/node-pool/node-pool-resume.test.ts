import { beforeAll, test } from "vitest";
import { digestOf, metadataKeys } from "../../support/bootc/objects.ts";
import type { WriteKind } from "../../support/bootc/writes.ts";
import { isSoak } from "../../support/property-runs.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { type NodeHarness, type Nodes, openNodeHarness } from "./node-harness.ts";
import { beforeAndAfter, type CrashRunner, openCrashRunner } from "./node-pool-crash-points.ts";
import { createSuite } from "../suite.ts";

/** The scenario in which Pawl is killed before and after each kind of write. */
const scenarios = {
  claim: "rollout",
  create: "rollout",
  label: "rollout",
  event: "rollout",
  "record-events": "rollout",
  "acquire-slot": "rollout",
  cordon: "rollout",
  evict: "rollout",
  approve: "rollout",
  "record-boot": "rollout",
  uncordon: "rollout",
  "release-slot": "rollout",
  status: "rollout",
  release: "rollout",
  "request-image": "update",
  revoke: "deletion",
  unlabel: "deletion",
  delete: "deletion",
  "remove-finalizer": "deletion",
  "record-cordon": "manual",
  "leave-cordoned": "manual",
  "restart-drain": "manual",
  "record-block": "manual",
  protect: "rollout",
  unprotect: "rollout",
} as const satisfies Record<WriteKind, string>;

const kinds = Object.keys(scenarios) as readonly WriteKind[];
/** A soak also kills Pawl at patches that are like the cordon of the same Node. */
const soakKinds: ReadonlySet<WriteKind> = new Set(["protect", "unprotect"]);
const killedKinds = kinds.filter((kind) => isSoak || !soakKinds.has(kind));
const crashPointsOf = (scenario: string) => beforeAndAfter(killedKinds.filter((kind) => scenarios[kind] === scenario));
/** Before the first kind, after the second, and so on; a soak kills at all of them. */
const rolloutCrashPoints = crashPointsOf("rollout").filter((_, index) => isSoak || index % 4 === 0 || index % 4 === 3);
const deletionCrashPoints = [...crashPointsOf("deletion"), ...beforeAndAfter(["uncordon"])];
const manualCrashPoints = [...crashPointsOf("manual"), "after acquire-slot", "after cordon"] as const;
/** Each process takes two seconds of CPU time to start. */
const manyStarts = { timeout: 300_000 };
/** The clock is so fast that the default timeout passes while a process starts. */
const untimed = { rebootTimeoutSeconds: 0 };
const patience = { timeout: 60_000, interval: 50 };

/** Each scenario continues with the nodes of the previous one. */
describeOnRealCluster("a rollout that is killed by SIGKILL at every write, and resumed", () => {
  const suite = createSuite();
  let harness: NodeHarness;
  let crashRunner: CrashRunner;
  let nodes: Nodes;
  let pool: string;
  const images: string[] = [];

  beforeAll(async () => {
    harness = suite.closeAfterAll(await openNodeHarness(suite.registry));
    crashRunner = suite.closeAfterAll(openCrashRunner({ harness, folder: suite.folder }));
    for (const tag of ["0", "1", "2", "3", "4"]) images.push(await harness.push("os", tag));
    nodes = await harness.createNodes(3, image(0));
    for (const name of nodes.names) await harness.deploy(`on-${name}`, 1, { "kubernetes.io/hostname": name });
    pool = harness.uniqueName("workers");
  });

  const image = (number: number) => images[number] ?? "";

  async function observePool() {
    const { metadata, status } = (await harness.api.pool(pool)) ?? {};
    const reasons = status?.conditions?.map(({ reason }) => reason);
    return { claim: metadata?.annotations?.["pawl.dev/execution"], deployed: status?.deployedDigest, reasons };
  }

  async function observeNode(name: string) {
    const [node, bootcNode] = await Promise.all([harness.api.node(name), harness.api.bootcNode(name)]);
    const annotations = { ...node?.metadata?.annotations, ...bootcNode?.metadata?.annotations };
    return {
      booted: harness.daemons.machine(name).booted,
      desiredSpec: bootcNode?.spec,
      isCordoned: node?.spec?.unschedulable ?? false,
      isManaged: node?.metadata?.labels?.[metadataKeys.managed] !== undefined,
      annotationKeys: Object.keys(annotations).filter((key) => /^(pawl|bootc)\.dev\//.test(key)),
    };
  }

  async function findSlotHolder({ names }: Nodes): Promise<string> {
    const summaries = await Promise.all(names.map(observeNode));
    return names.find((_, index) => summaries[index]?.annotationKeys.includes(metadataKeys.slot)) ?? "";
  }

  /** Returns the sorted reasons of the Events on a node, with duplicates. */
  async function eventsOf(name: string) {
    const request = { namespace: "default", fieldSelector: `involvedObject.name=${name}` };
    const { items } = await harness.api.core.listNamespacedEvent(request);
    // The clock is so fast that minutes pass before a drain begins.
    return items.flatMap(({ reason = "" }) => (reason === "DrainTakingTooLong" ? [] : [reason])).toSorted();
  }

  const rolledOutTo = (index: number) => ({
    claim: undefined,
    deployed: digestOf(image(index)),
    reasons: ["AllUpdated", "Healthy"],
  });
  const idleOn = (index: number) => ({
    booted: image(index),
    desiredSpec: { desiredImage: image(index), desiredImageState: "Booted" },
    isCordoned: false,
    isManaged: true,
    annotationKeys: ["pawl.dev/emitted-events", "pawl.dev/image-requested-at"],
  });

  test("nodes that join a pool", manyStarts, async ({ expect }) => {
    const nodeSelector = { matchLabels: nodes.labels };
    await harness.createPool(pool, { nodeSelector, image: { ref: image(1) }, rollout: untimed });
    await crashRunner.run(rolloutCrashPoints);
    expect(await observePool()).toEqual(rolledOutTo(1));
    for (const name of nodes.names) {
      expect(await observeNode(name)).toEqual(idleOn(1));
      expect(await eventsOf(name)).toEqual(["Idle", "Rebooting", "Staged", "Staging"]);
    }
    expect(crashRunner.failures).toEqual([]);
    await harness.expectNoViolations();
  });

  test("nodes that receive another image", async ({ expect }) => {
    await harness.setImage(pool, image(2));
    await crashRunner.run(crashPointsOf("update"));
    expect(await observePool()).toEqual(rolledOutTo(2));
    for (const name of nodes.names) expect(await observeNode(name)).toEqual(idleOn(2));
    expect(crashRunner.failures).toEqual([]);
    await harness.expectNoViolations();
  });

  test("a pool that is deleted while a node is about to reboot", manyStarts, async ({ expect }) => {
    for (const name of nodes.names) harness.daemons.fault(name, "never-reboots");
    await harness.setImage(pool, image(3));
    const run = crashRunner.run(deletionCrashPoints);
    const desiredSpec = { desiredImage: image(3), desiredImageState: "Booted" };
    const observeNodes = () => Promise.all(nodes.names.map(observeNode));
    await expect.poll(observeNodes, patience).toContainEqual(expect.objectContaining({ desiredSpec }));
    await harness.deletePool(pool);
    await run;
    expect(await harness.api.pool(pool)).toBeNull();
    for (const name of nodes.names) {
      const released = { desiredSpec: undefined, isCordoned: false, isManaged: false, annotationKeys: [] };
      expect(await observeNode(name)).toEqual({ ...released, booted: image(2) });
    }
    expect(crashRunner.failures).toEqual([]);
    await harness.expectNoViolations();
  });

  test("manual cordons, a kept cordon and a blocked drain during a rollout", manyStarts, async ({ expect }) => {
    const two = await harness.createNodes(2, image(3));
    await harness.deploy("held", 1, { "kubernetes.io/hostname": two.names[0] ?? "" });
    await harness.budget("held", 1);
    pool = harness.uniqueName("others");
    const rollout = { ...untimed, drainTimeoutSeconds: 60, cordonedNodes: "Include" };
    await harness.createPool(pool, { nodeSelector: { matchLabels: two.labels }, image: { ref: image(4) }, rollout });
    const keptCordon = { metadata: { annotations: { [metadataKeys.wasCordoned]: "true" } } };
    await crashRunner.run(manualCrashPoints, {
      "after acquire-slot": async () => harness.cordon(await findSlotHolder(two), true),
      "after record-block": () => harness.scale("held", 0),
      "after cordon": async () => harness.api.patch("bootcnodes", await findSlotHolder(two), keptCordon),
    });
    expect(await observePool()).toEqual(rolledOutTo(4));
    for (const name of two.names) expect(await observeNode(name)).toEqual({ ...idleOn(4), isCordoned: true });
    expect(crashRunner.failures).toEqual([]);
    await harness.expectNoViolations();
  });

  test("Pawl was killed at every kind of write", async ({ expect }) => {
    expect([...crashRunner.seenKinds].toSorted()).toEqual(kinds.toSorted());
    const crashPoints = [
      ...rolloutCrashPoints,
      ...crashPointsOf("update"),
      ...deletionCrashPoints,
      ...manualCrashPoints,
    ];
    expect(new Set(crashRunner.crashes)).toEqual(new Set(crashPoints));
    expect(new Set(crashPoints.map((point) => point.split(" ")[1]))).toEqual(new Set(killedKinds));
  });
});
