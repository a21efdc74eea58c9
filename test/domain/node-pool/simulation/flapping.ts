import { fromEpoch, secondsBetween } from "../../../../functions/domain/text/rfc3339.ts";
import { assessWork, planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { computeWaitSeconds } from "../../../../functions/domain/node-pool/step/wait-time.ts";
import type { PoolState } from "../../../../functions/domain/node-pool/pool/pool-state.ts";
import { after } from "../../../support/workloads.ts";
import { digestB } from "../pools.ts";
import { stepMachine } from "./agent.ts";
import { apply } from "./apply.ts";
import { checkInvariants } from "./invariants.ts";
import { writeStatus } from "./rollout.ts";
import { findMachine, type Machine, observe, setNode, type World } from "./world.ts";

/** How a machine comes back on image B, in seconds. */
export interface Behaviour {
  /** From the start of its reboot until its agent reports the image. */
  readonly boot: number;
  /** From then until its Node is Ready for the first time. */
  readonly lag: number;
  /** For how long it is Ready and then not Ready, again and again; null if it stays Ready. */
  readonly flaps: { readonly ready: number; readonly notReady: number } | null;
}

/** What happened to a pool. */
export interface Outcome {
  /** How often the Degraded condition became RolloutHalted, and how often it became Healthy again. */
  readonly halted: number;
  readonly recovered: number;
  readonly executions: number;
  readonly approvals: number;
}

const pollSeconds = 300;

/** Runs rounds as executions and polls do, in virtual time, for a number of hours. `afterRound` gets what a round has read. */
export function runHours(
  world: World,
  hours: number,
  behaviours: readonly Behaviour[],
  afterRound: (read: PoolState) => void = () => undefined,
): Outcome {
  const downSince = new Map<string, Date>();
  const outcome = { halted: 0, recovered: 0, executions: 0, approvals: 0 };
  const end = after(hours * 60);
  let isRunning = false;
  while (world.now < end) {
    for (const [index, machine] of world.machines.entries()) advance(machine, behaviours[index], world.now, downSince);
    const read = observe(world);
    const isWorking = assessWork(read).kind === "working";
    if (isWorking && !isRunning) outcome.executions += 1;
    isRunning = isWorking;
    const wait = isWorking ? runSteps(world, read, outcome) : pollSeconds;
    const before = degradedReason(world);
    writeStatus(world);
    const reason = degradedReason(world);
    if (reason !== before && reason === "RolloutHalted") outcome.halted += 1;
    if (reason !== before && reason === "Healthy") outcome.recovered += 1;
    afterRound(read);
    world.now = later(world.now, wait);
  }
  return outcome;
}

export function degradedReason({ pool }: World): string {
  return pool.status.conditions.find(({ type }) => type === "Degraded")?.reason ?? "Healthy";
}

/** Takes the steps of a round. Returns the seconds until the next one. */
function runSteps(world: World, read: PoolState, outcome: { approvals: number }): number {
  const pods = new Map(world.machines.map(({ name, pods: current }) => [name, current]));
  const steps = planSteps(read, pods);
  for (const { name, step } of steps) {
    const machine = findMachine(world, name);
    checkInvariants(world, machine, step, read);
    apply(world, machine, step);
    if (step.kind === "approve") outcome.approvals += 1;
  }
  return computeWaitSeconds(steps, read);
}

function advance(machine: Machine, behaviour: Behaviour | undefined, now: Date, downSince: Map<string, Date>): void {
  const since = downSince.get(machine.name) ?? now;
  const bootedAt = later(since, behaviour?.boot ?? 0);
  if (machine.isDown && now < bootedAt) return;
  if (machine.isGoingDown) downSince.set(machine.name, now);
  stepMachine(machine, machine.isDown ? bootedAt : now);
  if (machine.isDown || machine.upSince === null || machine.booted !== digestB || behaviour === undefined) return;
  setNode(machine, readinessAt(secondsBetween(machine.upSince, now), behaviour, machine.upSince));
}

/** Returns the Ready condition a number of seconds after the boot. */
function readinessAt(seconds: number, { lag, flaps }: Behaviour, upSince: Date) {
  const at = (offset: number) => later(upSince, offset);
  if (seconds < lag) return { ready: false, readyChangedAt: upSince };
  if (flaps === null) return { ready: true, readyChangedAt: at(lag) };
  const cycle = flaps.ready + flaps.notReady;
  const start = lag + Math.floor((seconds - lag) / cycle) * cycle;
  const ready = seconds < start + flaps.ready;
  return { ready, readyChangedAt: at(ready ? start : start + flaps.ready) };
}

function later(date: Date, seconds: number): Date {
  return fromEpoch(date.getTime() + seconds * 1000);
}
