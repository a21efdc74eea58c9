import { describe, expect, test } from "vitest";
import { newsOfStep, newsToRemember } from "../../../functions/domain/node-pool/node-news.ts";
import type { Asks, NodeStep } from "../../../functions/domain/node-pool/step.ts";
import type { Seen } from "../../../functions/domain/node-pool/tick.ts";
import type { BootcNode, PoolNode } from "../../../functions/domain/node-pool/types.ts";
import { after } from "../../support/workloads.ts";
import {
  approved,
  cordoned,
  digestA,
  digestB,
  fresh,
  imageA,
  imageB,
  imageC,
  member,
  pool,
  slot,
  slotted,
  staged,
  staging,
  tick,
  updated,
} from "./pools.ts";

const asks: Asks = { image: imageB, pullSecretRef: null, pullSecretHash: null };
const ask: NodeStep = { kind: "ask", asks, isNewImage: true, state: "Staged" };
const shortB = "quay.io/example/myos@sha256:bbbbbbbbbbbb";
const drainAgain: NodeStep = { kind: "restart-drain", reason: "2 pods are left after 600 s" };

describe("of a step", () => {
  test.for<[string, PoolNode, NodeStep, string]>([
    ["that asks a new node", fresh("a"), { kind: "create", asks }, `Normal Staging: Asked to stage ${shortB}`],
    [
      "that asks for another image",
      member("a", { desiredImage: imageA }),
      ask,
      `Normal Staging: Asked to stage ${shortB}`,
    ],
    [
      "that approves",
      member("a", slotted),
      { kind: "approve" },
      `Normal Rebooting: Drained, and told to reboot into ${shortB}`,
    ],
    [
      "that frees the slot",
      member("a", { ...updated, slot }),
      { kind: "free-slot" },
      `Normal Idle: Runs ${shortB} and is Ready`,
    ],
    [
      "that drains anew",
      member("a", slotted),
      drainAgain,
      `Warning DrainFailed: ${drainAgain.reason}: the drain for ${shortB} begins anew`,
    ],
  ])("%s", ([, node, step, said]) => {
    const news = newsOfStep(node, step, "e-1");
    expect(`${news?.type} ${news?.reason}: ${news?.message}`).toBe(`${said} (execution e-1)`);
    expect(news).toMatchObject({ event: null, execution: "e-1", image: imageB });
  });

  test.for<[string, PoolNode, NodeStep]>([
    ["asks for what the node runs", member("a", updated), ask],
    ["changes the pull secret", member("a"), { ...ask, isNewImage: false }],
    ["gives the slot back before the reboot", member("a", slotted), { kind: "free-slot" }],
    ["cordons", member("a", slotted), { kind: "cordon" }],
    ["waits", member("a", staging), { kind: "wait", for: "staging", reason: "its agent is staging" }],
    ["uncordons a node without a BootcNode", fresh("a"), { kind: "uncordon" }],
  ])("nothing of one that %s", ([, node, step]) => {
    expect(newsOfStep(node, step, null)).toBeNull();
  });

  const keyOf = (of: Partial<BootcNode>, step: NodeStep) => newsOfStep(member("a", of), step, null)?.key;

  test.for<[string, NodeStep, Partial<BootcNode>, Partial<BootcNode>, boolean]>([
    ["an agent's report in between is the same", ask, {}, { resourceVersion: "2", ...staging }, true],
    ["another time that it is asked is another", ask, {}, { generation: 3 }, false],
    ["another BootcNode of its name is another", ask, {}, { uid: "bootc-2" }, false],
    ["each reboot is another", { kind: "approve" }, slotted, { ...slotted, generation: 3 }, false],
    ["each drain is another", drainAgain, slotted, { slot: { ...slot, drainSince: after(10) } }, false],
    [
      "a drain of which nobody knows the beginning is one",
      drainAgain,
      { slot: { ...slot, takenAt: null } },
      { slot: null },
      true,
    ],
  ])("by its key %s", ([, step, one, other, isSame]) => {
    expect(keyOf(one, step) === keyOf(other, step)).toBe(isSame);
  });
});

describe("what is remembered", () => {
  const saidOf = (of: Partial<BootcNode>, seen: Partial<Seen> = {}, isCordoned = true) =>
    newsToRemember(tick([member("a", of, isCordoned ? cordoned : {})], seen), "e-1").flatMap(({ news, told }) => [
      ...news.map(({ reason }) => reason),
      told,
    ]);
  const stagedMark = `staged=${digestB}/2026-11-20T12:00:00Z`;
  const drainMark = "draining=2026-11-20T12:00:00Z";
  const late = { now: after(5) };

  test.for<[string, Partial<BootcNode>, string[]]>([
    ["has staged", staged, ["Staged", stagedMark]],
    [
      "has staged, and nobody knows since when it is asked",
      { ...staged, askedAt: null },
      ["Staged", `staged=${digestB}/`],
    ],
    ["has staged after another image", { ...staged, told: `staged=${digestA}/` }, ["Staged", stagedMark]],
    ["has staged, as was said", { ...staged, told: stagedMark }, []],
    ["has staged another image than it is asked for", { ...staged, desiredImage: imageC }, []],
    ["still stages", staging, []],
  ])("of a node that %s", ([, of, said]) => {
    expect(saidOf(of, {}, false)).toEqual(said);
  });

  test.for<[string, Partial<BootcNode>, Partial<Seen>, string[]]>([
    ["for 5 min", slotted, late, ["Staged", "DrainTakingTooLong", `${stagedMark} ${drainMark}`]],
    [
      "for 5 min, with all else said",
      { ...slotted, told: stagedMark },
      late,
      ["DrainTakingTooLong", `${stagedMark} ${drainMark}`],
    ],
    ["as was said", { ...slotted, told: `${stagedMark} ${drainMark}` }, late, []],
    ["for 5 min since nobody knows when", { ...slotted, slot: { ...slot, takenAt: null }, told: stagedMark }, late, []],
    ["for less", { ...slotted, told: stagedMark }, { now: after(4) }, []],
    ["no longer: it reboots", { ...approved, told: stagedMark }, late, []],
    ["no longer: it stages another image", { slot, ...staging }, late, []],
  ])("of a node that drains %s", ([, of, seen, said]) => {
    expect(saidOf(of, seen)).toEqual(said);
  });

  test("of a slow drain, on the bus too", () => {
    const [about] = newsToRemember(tick([member("a", { ...slotted, told: stagedMark }, cordoned)], late), "e-1");
    const message = `Draining since 2026-11-20T12:00:00Z for ${shortB}: a PodDisruptionBudget or a pod's own grace holds it up`;
    expect(about?.node.name).toBe("a");
    expect(about?.news).toEqual([
      {
        event: "Node Drain Slow",
        type: "Warning",
        reason: "DrainTakingTooLong",
        message: `${message} (execution e-1)`,
        key: drainMark,
        execution: "e-1",
        image: imageB,
      },
    ]);
  });

  test("nothing while the spec cannot be read: nothing is done then", () => {
    expect(saidOf(slotted, { ...late, pool: pool({}, { problems: ["image.ref: is missing"] }) })).toEqual([]);
  });
});
