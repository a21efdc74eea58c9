import { describe, expect, test } from "vitest";
import {
  evictionBlockedEvent,
  forcedDrainEvent,
  stepEvent,
  pendingNodeEvents,
} from "../../functions/domain/node-pool/event/node-events.ts";
import { type PoolEvent, poolEventTypes } from "../../functions/domain/node-pool/event/event.ts";
import { parseSpec } from "../../functions/domain/node-pool/pool/spec.ts";
import { poolEvents } from "../../functions/domain/node-pool/event/pool-events.ts";
import type { NodeStep } from "../../functions/domain/node-pool/step/step.ts";
import type { DegradedReason, NodePoolStatus, PoolCondition } from "../../functions/domain/node-pool/pool/node-pool.ts";
import { emitNodeEvent, emitPoolEvent } from "../../functions/workflows/emit-events.ts";
import {
  cordoned,
  digestA,
  digestB,
  imageA,
  imageB,
  member,
  pool,
  slot,
  slotted,
  poolState,
  updated,
} from "../domain/node-pool/pools.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { after } from "../support/workloads.ts";
import { readDocument, sectionsOf } from "./document.ts";

const execution = "production-workers-3f2a9c41d0b7";

const inProgress: PoolCondition = { type: "UpToDate", status: "False", reason: "RolloutInProgress", message: "" };
const allUpdated: PoolCondition = { type: "UpToDate", status: "True", reason: "AllUpdated", message: "" };
const rolling: Partial<NodePoolStatus> = { nodeCount: 12, updatingCount: 12, conditions: [inProgress] };
const completed: Partial<NodePoolStatus> = {
  nodeCount: 12,
  updatedCount: 12,
  deployedDigest: digestB,
  conditions: [allUpdated],
};

function eventsBetween(before: Partial<NodePoolStatus>, now: Partial<NodePoolStatus>, by: string | null = execution) {
  return poolEvents(pool({}, { status: before }), pool({}, { status: now }).status, by);
}

function degraded(reason: DegradedReason, message: string): Partial<NodePoolStatus> {
  const status = reason === "Healthy" ? "False" : "True";
  return { conditions: [{ type: "Degraded", status, reason, message }] };
}

const healthy = degraded("Healthy", "");
const stuck = degraded("NodeDegraded", "Degraded nodes: node-3 (nothing staged after 600 s)");
const halted = degraded("RolloutHalted", "Unhealthy nodes in reboot slots: node-1 (NotReady), node-2 (Degraded)");
const draining = member("node-1", slotted, cordoned);

const others = ["RolledBack", "NodeConflict", "SecretError", "InvalidSpec", "TagResolutionError"] as const;
const ofPools: readonly PoolEvent[] = [
  ...eventsBetween({ targetDigest: digestA }, { nodeCount: 12 }, null),
  ...eventsBetween({ targetDigest: digestB }, rolling),
  ...eventsBetween(rolling, completed),
  ...poolEvents(
    pool(
      { steps: parseSpec({ steps: [{ nodes: 1 }, { pause: {} }, { nodes: "50%" }] }).spec.steps },
      { status: rolling },
    ),
    {
      ...pool({}, { status: rolling }).status,
      updatedCount: 1,
      progress: { digest: digestB, step: 2, since: after(0) },
    },
    execution,
  ),
  ...eventsBetween(healthy, halted),
  ...eventsBetween(healthy, stuck),
  ...eventsBetween(stuck, healthy),
  ...poolEvents(
    pool({ rebootPolicy: "AllowSoftReboot" }, { status: { observedGeneration: 0 } }),
    pool({}, { status: { observedGeneration: 1 } }).status,
    execution,
  ),
];
const desired = { image: imageB, pullSecretRef: null, pullSecretHash: null };
const steps: readonly (readonly [typeof draining, NodeStep])[] = [
  [member("node-1", { desiredImage: imageA }), { kind: "request-image", desired, isNewImage: true, state: "Staged" }],
  [draining, { kind: "approve", readyDaemonSets: [] }],
  [member("node-1", { ...updated, slot }), { kind: "release-slot" }],
  [draining, { kind: "restart-drain", reason: "1 pod is left after 600 s" }],
];
const ofNodes: readonly PoolEvent[] = [
  ...pendingNodeEvents(poolState([draining], { now: after(5) }), execution).flatMap(({ events }) => events),
  ...[
    evictionBlockedEvent(draining, ["shop/web: not now"], poolState([draining], { now: after(5) })),
    ...steps.map(([node, step]) => stepEvent(node, step, execution)),
    forcedDrainEvent(draining, "web", "Deletes shop/web: not now", poolState([draining])),
  ].filter((event) => event !== null),
];
const onTheBus = [...ofPools, ...ofNodes].filter(({ event }) => event !== null);

describe("docs/reference/events.md, of node pools", () => {
  const text = readDocument("events.md");
  const sections = sectionsOf(text, 3);

  test("shows an example of each type of event", () => {
    expect(onTheBus.map(({ event }) => event)).toEqual([...poolEventTypes]);
  });

  test.for(onTheBus.map((one) => [one.event ?? "", one] as const))(
    "shows what is published of %s",
    async ([event, poolEvent]) => {
      const workers = pool();
      const ports = fakePorts({ nodePools: { pools: [workers], nodes: [draining] } });
      await (event.startsWith("Node Pool")
        ? emitPoolEvent(ports, workers, poolEvent)
        : emitNodeEvent(ports, workers, draining, poolEvent));
      const [published] = ports.publishedPoolEvents;
      const { type, ...detail } = published ?? { type: null };
      const example = /```json\n(.*?)```/s.exec(sections.get(event) ?? "")?.[1] ?? "{}";
      expect(JSON.parse(example)).toEqual({ source: "pawl", "detail-type": type, detail });
    },
  );

  test("names every Event, with its type and its event on the bus", () => {
    const rows = [...text.matchAll(/^\| (pool|node) \| `(\w+)` \| (\w+) \| ([\w ]*?) ?\|/gm)];
    const table = rows.map(([, on, reason, type, event]) => `${on} ${reason} ${type} ${event}`);
    const unhealthy = others.flatMap((reason) => eventsBetween(healthy, degraded(reason, "why")));
    const lineOf = (on: string) => (event: PoolEvent) => `${on} ${event.reason} ${event.type} ${event.event ?? ""}`;
    const emitted = [...[...ofPools, ...unhealthy].map(lineOf("pool")), ...ofNodes.map(lineOf("node"))];
    expect(new Set(table)).toEqual(new Set(emitted));
  });
});
