import { expect, test } from "vitest";
import {
  type Assignment,
  assignPlaces,
  type Occupied,
} from "../../../../functions/domain/gates/limits/assign-places.ts";
import type { Concurrency } from "../../../../functions/domain/gates/limits/limit-settings.ts";
import {
  anyVersion,
  type Blocker,
  blockerOf,
  type Member,
  type WaitingMember,
} from "../../../../functions/domain/gates/limits/start-facts.ts";
import { createRandom, type Random } from "../../../chaos/random.ts";
import { propertyRuns, seed } from "../../../support/property-runs.ts";
import { after } from "../../../support/workloads.ts";

/** One workload of a drawn cluster. Each is updated to the same version of its repository once. */
interface Drawn extends Member {
  readonly waitsFrom: number;
  state: "waiting" | "moving" | "done" | "failed";
}

function draw(random: Random): { readonly cluster: readonly Drawn[]; readonly limits: Concurrency } {
  const whole = (max: number) => Math.floor(random.between(0, max));
  const waves = random.chance(0.5) ? 1 : 3;
  const cluster = Array.from({ length: 1 + whole(40) }, (_, index) => ({
    uid: `u-${index}`,
    name: `w-${index}`,
    namespace: `n-${whole(4)}`,
    repository: `r-${whole(3)}`,
    version: "1.1.0",
    wave: whole(waves),
    waitsFrom: whole(5),
    state: "waiting" as const,
  }));
  const total = 1 + whole(8);
  return { cluster, limits: { total, perNamespace: 1 + whole(total), perRepository: 1 + whole(total) } };
}

const isEarlier = (one: Member, other: Member) =>
  one.namespace === other.namespace && one.repository === other.repository && one.wave < other.wave;

const countOf = (moving: readonly Member[], key: "namespace" | "repository", value: string) =>
  moving.filter((one) => one[key] === value).length;

/** Returns which of the rules an assignment breaks, as a person would check them: one workload at a time. */
function broken(
  cluster: readonly Drawn[],
  before: readonly Member[],
  limits: Concurrency,
  { granted, waits }: Assignment,
): readonly string[] {
  const moving = [...before, ...granted];
  const isStarted = (one: Member) => moving.some(({ uid }) => uid === one.uid);
  const isBlocked = (one: Member) =>
    cluster.some((other) => isEarlier(other, one) && (other.state !== "done" || isStarted(other)));
  const isOver = (one: Member, of: readonly Member[], more: number) =>
    countOf(of, "namespace", one.namespace) + more > limits.perNamespace ||
    countOf(of, "repository", one.repository) + more > limits.perRepository;
  const left = cluster.filter((one) => waits.has(one.uid) && !isBlocked(one) && !isOver(one, moving, 1));
  const rules: readonly (readonly [string, boolean])[] = [
    ["limit of the cluster", granted.length > 0 && moving.length > limits.total],
    ["other limits", granted.some((one) => isOver(one, moving, 0))],
    ["waves", granted.some(isBlocked)],
    ["a place is free", moving.length < limits.total && left.length > 0],
    ["fair", left.some((one) => granted.some((other) => isUnfair(one, other, moving)))],
    ["longest wait", left.some((one) => granted.some((other) => isOvertaken(one, other)))],
  ];
  return rules.filter(([, isBroken]) => isBroken).map(([rule]) => rule);
}

/** No namespace gets a place that brings it two ahead of one that could use it. */
function isUnfair(one: Member, granted: Member, moving: readonly Member[]): boolean {
  const [own, other] = [one, granted].map(({ namespace }) => countOf(moving, "namespace", namespace));
  return (other as number) > (own as number) + 1;
}

function isOvertaken(one: Drawn, granted: WaitingMember): boolean {
  return one.namespace === granted.namespace && granted.since > after(one.waitsFrom);
}

/** Lets one poll start updates. Returns the rules that it broke. */
function step(cluster: readonly Drawn[], limits: Concurrency, at: number, random: Random): readonly string[] {
  const lost = new Set(cluster.filter(() => random.chance(0.1)).map(({ uid }) => uid));
  const moving = cluster.filter(({ state }) => state === "moving");
  const waiting: WaitingMember[] = cluster
    .filter(({ state, waitsFrom }) => state === "waiting" && waitsFrom <= at)
    .filter(({ uid }) => !lost.has(uid))
    .map((one) => ({ ...one, since: after(one.waitsFrom) }));
  // What has yet to find the version blocks as much as what waits for it.
  const late = cluster.filter(({ state, waitsFrom }) => state === "waiting" && waitsFrom > at);
  const blockers: Blocker[] = [
    ...[...moving, ...late].map(blockerOf),
    // What could not be evaluated may want any version.
    ...cluster
      .filter(({ uid, state }) => state === "waiting" && lost.has(uid))
      .map((one) => blockerOf({ ...one, version: anyVersion })),
    ...cluster.filter(({ state }) => state === "failed").map((one) => ({ ...blockerOf(one), hasFailed: true })),
  ];
  const occupied: Occupied = { moving, unclaimed: [] };
  const assigned = assignPlaces(waiting, blockers, occupied, limits);
  const isComplete = assigned.granted.length + assigned.waits.size === waiting.length;
  const rules = [...broken(cluster, moving, limits, assigned), ...(isComplete ? [] : ["lost"])];
  const chosen = new Set(assigned.granted.map(({ uid }) => uid));
  for (const one of cluster) if (chosen.has(one.uid)) one.state = "moving";
  return rules;
}

test("drawn clusters keep the limits, the order of waves and fairness in each poll, and nothing starves", () => {
  const random = createRandom(seed);
  const found: string[] = [];
  for (let run = 0; run < propertyRuns(3000); run += 1) {
    const { cluster, limits } = draw(random);
    const failureRate = random.pick([0, 0, 0.2]);
    for (let at = 0; at < 200 && cluster.some(({ state }) => state === "waiting"); at += 1) {
      for (const rule of step(cluster, limits, at, random)) found.push(`run ${run}, poll ${at}: ${rule}`);
      for (const one of cluster)
        if (one.state === "moving" && random.chance(0.6)) one.state = random.chance(failureRate) ? "failed" : "done";
    }
    const left = cluster.filter(({ state }) => state === "waiting");
    const failed = cluster.filter(({ state }) => state === "failed");
    const starved = left.filter((one) => !failed.some((other) => isEarlier(other, one)));
    for (const { name } of starved) found.push(`run ${run}: ${name} starves`);
  }
  expect(found).toEqual([]);
});
