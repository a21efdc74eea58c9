import { resetCircuits } from "./actors/people.ts";
import { sleep } from "./actors/actor.ts";
import { outagesOf } from "./record/journal.ts";
import { checkEnd, checkHistory } from "./invariants/check.ts";
import type { Story, Violation } from "./invariants/violation.ts";
import type { Member } from "./fleet.ts";
import type { World } from "./world.ts";

/** An hour of back-off takes 3 minutes. */
const maxSettleSeconds = 300;
/** How long nothing is wrong before that is believed. */
const restSeconds = 6;

/** Returns what is recorded of one workload. */
export function storyOf({ recording, registry, journal }: World, member: Member): Story {
  const { name } = member;
  return {
    member,
    facts: recording.factsOf(name),
    current: recording.currentOf(name),
    releases: registry.releases,
    outages: outagesOf(journal.notes, name),
  };
}

/** Waits until every workload is as it should be. Returns what is wrong in the end, and what was in between. */
export async function settle(world: World): Promise<readonly Violation[]> {
  const { fleet, journal } = world;
  const startedAt = performance.now();
  await scaleUp(world);
  let wrong: readonly Violation[] = [];
  let restSince: number | null = null;
  while (performance.now() - startedAt < maxSettleSeconds * 1000) {
    wrong = fleet.flatMap((member) => checkEnd(storyOf(world, member)));
    const now = performance.now();
    restSince = wrong.length === 0 ? (restSince ?? now) : null;
    if (restSince !== null && now - restSince > restSeconds * 1000) break;
    await sleep(1);
  }
  journal.add("phase", null, `settled after ${((performance.now() - startedAt) / 1000).toFixed()} s`);
  return [...fleet.flatMap((member) => checkHistory(storyOf(world, member))), ...wrong];
}

/** A workload without pods proves nothing, and a canary of a StatefulSet with one replica is refused. */
async function scaleUp({ fleet, kubectl, recording, journal }: World): Promise<void> {
  for (const { kind, name, strategy } of fleet) {
    const own = [...recording.currentOf(name).values()].find((fact) => fact.kind === "workload");
    const atLeast = kind === "StatefulSet" && strategy === "canary" ? 2 : 1;
    if (own?.kind !== "workload" || own.replicas === null || own.replicas >= atLeast) continue;
    await kubectl.scale(kind, name, 2);
    journal.add("edit", name, "scale 2");
  }
}

/** Prints each violation that the history shows as soon as it does, until the signal is aborted. */
export async function watchHistory(world: World, signal: AbortSignal): Promise<void> {
  const known = new Set<string>();
  while (!signal.aborted) {
    await sleep(15, signal);
    for (const { workload, message } of world.fleet.flatMap((member) => checkHistory(storyOf(world, member)))) {
      const text = `${workload}: ${message}`;
      if (!known.has(text)) console.log(`${new Date().toISOString()} ${text}`);
      known.add(text);
    }
  }
}

/** Pushes one more good version of every workload, which is higher than all others, and resets the circuits. */
export async function releaseLast(world: World): Promise<void> {
  const { fleet, registry, journal } = world;
  for (const member of fleet) {
    const { version } = await registry.push(member, true);
    journal.add("push", member.name, version);
  }
  await resetCircuits(world);
}
