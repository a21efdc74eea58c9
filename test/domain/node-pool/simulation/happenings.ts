import fc from "fast-check";
import { fresh, imageA, imageB, imageC } from "../pools.ts";
import { type Fault, type Machine, setNode, type World } from "./world.ts";

/** What a person, a machine or the cluster may do at any time. */
export type Happening =
  | { readonly kind: "fault"; readonly fault: Fault | null }
  | { readonly kind: "budget"; readonly isBlocked: boolean }
  | { readonly kind: "person-cordons" | "person-uncordons" | "leaves" | "returns" | "lost" | "replaced" | "forgotten" }
  | { readonly kind: "image"; readonly ref: string }
  | { readonly kind: "max"; readonly amount: number }
  | { readonly kind: "pause"; readonly paused: boolean };

type At = Happening & { readonly machine: number };

const faults = ["stage-fails", "silent", "degraded", "not-ready", "old-image", null, null, null] as const;
const byPeople = ["person-cordons", "person-uncordons", "leaves", "returns", "returns"] as const;
const ofMachines = ["lost", "replaced", "replaced", "forgotten"] as const;

const anyKind = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("fault" as const), fault: fc.constantFrom(...faults) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("budget" as const), isBlocked: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom(...byPeople) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom(...ofMachines) }) },
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

export const anyHappening: fc.Arbitrary<At> = fc
  .tuple(anyKind, fc.nat())
  .map(([happening, machine]) => ({ ...happening, machine }));

export function happen(world: World, happening: Happening & { readonly machine?: number }): void {
  const machine = world.machines[(happening.machine ?? 0) % world.machines.length];
  const { spec } = world.pool;
  if (happening.kind === "image") world.pool = { ...world.pool, spec: { ...spec, imageRef: happening.ref } };
  else if (happening.kind === "pause") world.pool = { ...world.pool, spec: { ...spec, paused: happening.paused } };
  else if (happening.kind === "max") {
    const maxUnavailable = { unit: "nodes", amount: happening.amount } as const;
    world.pool = { ...world.pool, spec: { ...spec, maxUnavailable } };
  } else if (machine !== undefined) happenTo(world, machine, happening);
}

function happenTo(world: World, machine: Machine, happening: Happening): void {
  const labels = machine.node?.labels ?? {};
  const { role: _, ...others } = labels;
  if (happening.kind === "fault") machine.fault = happening.fault;
  if (happening.kind === "budget") machine.isBlocked = happening.isBlocked;
  if (happening.kind === "leaves") setNode(machine, { labels: others });
  if (happening.kind === "returns") setNode(machine, { labels: { ...labels, role: "worker" } });
  if (happening.kind === "forgotten") remove(machine, "bootcNode");
  if (happening.kind === "lost") remove(machine, "node");
  if (happening.kind === "replaced") replace(world, machine);
  if (happening.kind === "person-cordons" && machine.node !== null) {
    if (!machine.node.unschedulable) machine.cordonedBy = "person";
    setNode(machine, { unschedulable: true });
  }
  if (happening.kind === "person-uncordons" && machine.cordonedBy === "person") {
    machine.cordonedBy = null;
    setNode(machine, { unschedulable: false });
  }
}

function remove(machine: Machine, object: "node" | "bootcNode"): void {
  machine[object] = null;
  machine.versions[object] += 1;
}

/** Another machine of the same name, with another Node; its agent finds the BootcNode of the one before. */
function replace(world: World, machine: Machine): void {
  world.machinesMade += 1;
  const { node } = fresh(machine.name, { uid: `${machine.name}-${world.machinesMade}` });
  Object.assign(machine, { node, cordonedBy: null, pods: [], isGoingDown: false, isDown: false });
  machine.versions.node += 1;
}

/** All that is wrong is put right: every machine is there, and the pool may go on to image B. */
export function heal(world: World): void {
  const maxUnavailable = { unit: "nodes", amount: 1 } as const;
  world.pool = {
    ...world.pool,
    spec: { ...world.pool.spec, paused: false, maxUnavailable, windows: [], imageRef: imageB },
  };
  for (const machine of world.machines) {
    machine.fault = null;
    machine.isBlocked = false;
    if (machine.node === null) replace(world, machine);
  }
}
