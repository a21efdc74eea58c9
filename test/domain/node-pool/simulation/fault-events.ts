import fc from "fast-check";
import type { OnHalt } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { digestA, digestB, digestC, imageA, imageB, imageC } from "../pools.ts";
import { type Fault, type Machine, newNode, setNode, type World } from "./world.ts";

/** What a person, a machine or the cluster can do at any time. */
export type SimulatedEvent =
  | { readonly kind: "fault"; readonly fault: Fault | null }
  | { readonly kind: "budget"; readonly isBlocked: boolean }
  | {
      readonly kind:
        | "manual-cordon"
        | "manual-uncordon"
        | "label-removed"
        | "label-added"
        | "node-deleted"
        | "machine-replaced"
        | "bootc-node-deleted";
    }
  | { readonly kind: "image"; readonly ref: string }
  | { readonly kind: "broken-image"; readonly digest: string; readonly fault: Fault }
  | { readonly kind: "on-halt"; readonly onHalt: OnHalt }
  | { readonly kind: "max"; readonly amount: number }
  | { readonly kind: "pause"; readonly paused: boolean };

type MachineEvent = SimulatedEvent & { readonly machine: number };

/** What an image can do to the machines that run it. */
export const imageFaults = ["degraded", "not-ready", "unhealthy"] as const;
const faults = [...imageFaults, "stage-fails", "silent", "old-image", null, null, null] as const;
const manualEvents = ["manual-cordon", "manual-uncordon", "label-removed", "label-added", "label-added"] as const;
const objectEvents = ["node-deleted", "machine-replaced", "machine-replaced", "bootc-node-deleted"] as const;

const arbitraryKind = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("fault" as const), fault: fc.constantFrom(...faults) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("broken-image" as const),
      digest: fc.constantFrom(digestA, digestB, digestC),
      fault: fc.constantFrom(...imageFaults),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("on-halt" as const), onHalt: fc.constantFrom("Hold", "Rollback") }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("budget" as const), isBlocked: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom(...manualEvents) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom(...objectEvents) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("image" as const), ref: fc.constantFrom(imageA, imageB, imageC) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("max" as const), amount: fc.nat(4) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("pause" as const), paused: fc.constantFrom(true, false, false) }),
  },
);

export const arbitraryEvent: fc.Arbitrary<MachineEvent> = fc
  .tuple(arbitraryKind, fc.nat())
  .map(([event, machine]) => ({ ...event, machine }));

export function applyEvent(world: World, event: SimulatedEvent & { readonly machine?: number }): void {
  const machine = world.machines[(event.machine ?? 0) % world.machines.length];
  const { spec } = world.pool;
  if (event.kind === "image") world.pool = { ...world.pool, spec: { ...spec, imageRef: event.ref } };
  else if (event.kind === "on-halt") world.pool = { ...world.pool, spec: { ...spec, onHalt: event.onHalt } };
  else if (event.kind === "broken-image") breakImage(world, event.digest, event.fault);
  else if (event.kind === "pause") world.pool = { ...world.pool, spec: { ...spec, paused: event.paused } };
  else if (event.kind === "max") {
    const maxUnavailable = { unit: "nodes", amount: event.amount } as const;
    world.pool = { ...world.pool, spec: { ...spec, maxUnavailable } };
  } else if (machine !== undefined) applyMachineEvent(world, machine, event);
}

/** Breaks an image: every machine has the fault while it runs it. */
export function breakImage({ machines }: World, digest: string, fault: Fault): void {
  for (const machine of machines) machine.faultyImage = { digest, fault };
}

function applyMachineEvent(world: World, machine: Machine, event: SimulatedEvent): void {
  const labels = machine.node?.labels ?? {};
  const { role: _, ...others } = labels;
  if (event.kind === "fault") machine.fault = event.fault;
  if (event.kind === "budget") machine.isEvictionBlocked = event.isBlocked;
  if (event.kind === "label-removed") setNode(machine, { labels: others });
  if (event.kind === "label-added") setNode(machine, { labels: { ...labels, role: "worker" } });
  if (event.kind === "bootc-node-deleted") deleteObject(machine, "bootcNode");
  if (event.kind === "node-deleted") deleteObject(machine, "node");
  if (event.kind === "machine-replaced") replaceMachine(world, machine);
  if (event.kind === "manual-cordon" && machine.node !== null) {
    if (!machine.node.unschedulable) machine.cordonedBy = "person";
    setNode(machine, { unschedulable: true });
  }
  if (event.kind === "manual-uncordon" && machine.cordonedBy === "person") {
    machine.cordonedBy = null;
    setNode(machine, { unschedulable: false });
  }
}

function deleteObject(machine: Machine, object: "node" | "bootcNode"): void {
  machine[object] = null;
  machine.versions[object] += 1;
}

/** Replaces the machine by another one of the same name. It has a new Node and keeps the BootcNode. */
function replaceMachine(world: World, machine: Machine): void {
  world.replacementCount += 1;
  const node = newNode(machine.name, `${machine.name}-${world.replacementCount}`);
  Object.assign(machine, { node, cordonedBy: null, pods: [], isGoingDown: false, isDown: false, upSince: null });
  machine.versions.node += 1;
}

/** Removes all faults: every machine exists, and the pool can update to image B, also the nodes that people have cordoned. */
export function recover(world: World): void {
  const maxUnavailable = { unit: "nodes", amount: 1 } as const;
  world.pool = {
    ...world.pool,
    spec: {
      ...world.pool.spec,
      paused: false,
      maxUnavailable,
      windows: [],
      imageRef: imageB,
      cordonedNodes: "Include",
    },
  };
  for (const machine of world.machines) {
    machine.fault = null;
    machine.faultyImage = null;
    machine.isEvictionBlocked = false;
    if (machine.node === null) replaceMachine(world, machine);
  }
}
