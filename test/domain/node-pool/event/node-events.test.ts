import {
  forcedDrainEvent,
  stepEvent,
  pendingNodeEvents,
  wasEmitted,
  recordEmitted,
} from "../../../../functions/domain/node-pool/event/node-events.ts";
import type { BootcNode, PoolNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { PoolObservation } from "../../../../functions/domain/node-pool/pool/pool-state.ts";
import type { DesiredNode, NodeStep } from "../../../../functions/domain/node-pool/step/step.ts";
import { after } from "../../../support/workloads.ts";
import {
  approved,
  cordoned,
  digestA,
  digestB,
  unmanagedNode,
  imageB,
  imageC,
  member,
  pool,
  slot,
  slotted,
  staged,
  staging,
  poolState,
  updated,
} from "../pools.ts";
import { describe, expect, test } from "vitest";

const desired: DesiredNode = { image: imageB, pullSecretRef: null, pullSecretHash: null };
const requestImage: NodeStep = { kind: "request-image", desired, isNewImage: true, state: "Staged" };
const shortB = "quay.io/example/myos@sha256:bbbbbbbbbbbb";
const restartDrain: NodeStep = { kind: "restart-drain", reason: "2 pods are left after 600 s" };

describe("the Event of a step", () => {
  test.for<[string, PoolNode, NodeStep, string]>([
    [
      "that creates a BootcNode",
      unmanagedNode("a"),
      { kind: "create", desired },
      `Normal Staging: Requested to stage ${shortB}`,
    ],
    [
      "that approves a reboot",
      member("a", slotted),
      { kind: "approve", readyDaemonSets: [] },
      `Normal Rebooting: Drained; approved to reboot into ${shortB}`,
    ],
    [
      "that releases the slot",
      member("a", { ...updated, slot }),
      { kind: "release-slot" },
      `Normal Idle: Runs ${shortB} and is Ready`,
    ],
    [
      "that gives the slot back",
      member("a", { ...slotted, drainBlockedBy: "shop/web: the budget needs 1" }),
      { kind: "release-slot", givenBack: 2 },
      `Warning DrainFailed: Not drained in time for ${shortB}, and gives its slot back (attempt 2): shop/web: the budget needs 1`,
    ],
    [
      "that gives the slot back for an unknown reason",
      member("a", { ...slotted, slot: { ...slot, acquiredAt: null } }),
      { kind: "release-slot", givenBack: 1 },
      `Warning DrainFailed: Not drained in time for ${shortB}, and gives its slot back (attempt 1)`,
    ],
    [
      "that restarts the drain",
      member("a", slotted),
      restartDrain,
      `Warning DrainFailed: ${restartDrain.reason}: the drain for ${shortB} starts again`,
    ],
  ])("%s", ([, node, step, expected]) => {
    const event = stepEvent(node, step, "e-1");
    expect(`${event?.type} ${event?.reason}: ${event?.message}`).toBe(`${expected} (execution e-1)`);
    expect(event).toMatchObject({ event: null, execution: "e-1", image: imageB });
  });

  test.for<[string, PoolNode, NodeStep]>([
    ["gets a request for the image that it runs", member("a", updated), requestImage],
    ["changes the pull secret", member("a"), { ...requestImage, isNewImage: false }],
    ["releases its slot before the reboot", member("a", slotted), { kind: "release-slot" }],
    ["is cordoned", member("a", slotted), { kind: "cordon" }],
    ["waits", member("a", staging), { kind: "wait", for: "staging", reason: "its agent is staging" }],
    ["is uncordoned without a BootcNode", unmanagedNode("a"), { kind: "uncordon" }],
  ])("no Event for a node that %s", ([, node, step]) => {
    expect(stepEvent(node, step, null)).toBeNull();
  });

  const keyOf = (bootcNode: Partial<BootcNode>, step: NodeStep) => stepEvent(member("a", bootcNode), step, null)?.key;

  test.for<[string, NodeStep, Partial<BootcNode>, Partial<BootcNode>, boolean]>([
    ["a report of the agent in between: same Event", requestImage, {}, { resourceVersion: "2", ...staging }, true],
    ["another request: another Event", requestImage, {}, { generation: 3 }, false],
    ["a recreated BootcNode: another Event", requestImage, {}, { uid: "bootc-2" }, false],
    ["another drain: another Event", restartDrain, slotted, { slot: { ...slot, drainStartedAt: after(10) } }, false],
    [
      "a drain whose start is unknown: same Event",
      restartDrain,
      { slot: { ...slot, acquiredAt: null } },
      { slot: null },
      true,
    ],
  ])("deduplication key of %s", ([, step, one, other, isSame]) => {
    expect(keyOf(one, step) === keyOf(other, step)).toBe(isSame);
  });
});

describe("recorded Events", () => {
  const eventsOf = (bootcNode: Partial<BootcNode>, observed: Partial<PoolObservation> = {}, isCordoned = true) =>
    pendingNodeEvents(poolState([member("a", bootcNode, isCordoned ? cordoned : {})], observed), "e-1").flatMap(
      ({ node, events }) => [
        ...events.map(({ reason }) => reason),
        recordEmitted(
          node.bootcNode.emittedEvents,
          events.map(({ key }) => key),
        ),
      ],
    );
  const stagedMark = `staged=${digestB}/2026-11-20T12:00:00Z`;
  const drainMark = "draining=2026-11-20T12:00:00Z";
  const late = { now: after(5) };

  test.for<[string, Partial<BootcNode>, string[]]>([
    ["has staged", staged, ["Staged", stagedMark]],
    ["has staged, with an unknown request time", { ...staged, requestedAt: null }, ["Staged", `staged=${digestB}/`]],
    ["has staged after another image", { ...staged, emittedEvents: `staged=${digestA}/` }, ["Staged", stagedMark]],
    ["has staged, as was emitted", { ...staged, emittedEvents: stagedMark }, []],
    ["has staged an image that is not the desired one", { ...staged, desiredImage: imageC }, []],
    ["still stages", staging, []],
  ])("of a node that %s", ([, bootcNode, expected]) => {
    expect(eventsOf(bootcNode, {}, false)).toEqual(expected);
  });

  test.for<[string, Partial<BootcNode>, Partial<PoolObservation>, string[]]>([
    ["for 5 min", slotted, late, ["Staged", "DrainTakingTooLong", `${stagedMark} ${drainMark}`]],
    ["as was emitted", { ...slotted, emittedEvents: `${stagedMark} ${drainMark}` }, late, []],
    ["from an unknown start", { ...slotted, slot: { ...slot, acquiredAt: null }, emittedEvents: stagedMark }, late, []],
    ["for less than 5 min", { ...slotted, emittedEvents: stagedMark }, { now: after(4) }, []],
    ["no longer, because it reboots", { ...approved, emittedEvents: stagedMark }, late, []],
    ["no longer, because it stages another image", { slot, ...staging }, late, []],
  ])("of a node that drains %s", ([, bootcNode, observed, expected]) => {
    expect(eventsOf(bootcNode, observed)).toEqual(expected);
  });

  test("a slow drain is also published on the bus", () => {
    const [pending] = pendingNodeEvents(
      poolState([member("a", { ...slotted, emittedEvents: stagedMark }, cordoned)], late),
      "e-1",
    );
    const message = `Draining since 2026-11-20T12:00:00Z for ${shortB}: a PodDisruptionBudget, the grace period of a pod or rollout.drain delays it`;
    expect(pending?.node.name).toBe("a");
    expect(pending?.events).toEqual([
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

  test("no Event while the spec is invalid", () => {
    expect(eventsOf(slotted, { ...late, pool: pool({}, { problems: ["image.ref: is missing"] }) })).toEqual([]);
  });
});

test.for([
  { emittedEvents: null, found: false },
  { emittedEvents: "staged=b", found: false },
  { emittedEvents: "staged=ab", found: false },
  { emittedEvents: "staged=a", found: true },
  { emittedEvents: "draining=t staged=a", found: true },
])("staged=a is recorded in $emittedEvents: $found", ({ emittedEvents, found }) => {
  expect(wasEmitted(emittedEvents, "staged=a")).toBe(found);
});

test("a pod that a drain deletes is reported once", () => {
  const state = poolState([member("a", slotted)]);
  const [forced, refused] = ["Deleted web for the drain", "Cannot delete web: forbidden"].map((text) =>
    forcedDrainEvent(member("a", slotted), "shop/web", text, state),
  );
  expect(forced).toMatchObject({ type: "Warning", reason: "DrainForced", key: "forced=shop/web/Deleted" });
  expect(forced?.message).toContain("Deleted web for the drain");
  expect(refused?.key).toBe("forced=shop/web/Cannot");
});
