import { describe, expect, test } from "vitest";
import { assignPlaces, maxPositions, type Occupied } from "../../../../functions/domain/gates/limits/assign-places.ts";
import { concurrencyOf, isBinding } from "../../../../functions/domain/gates/limits/limit-settings.ts";
import {
  anyVersion,
  type Blocker,
  blockerOf,
  type WaitingMember,
} from "../../../../functions/domain/gates/limits/start-facts.ts";
import { after } from "../../../support/workloads.ts";

const idle: Occupied = { moving: [], unclaimed: [] };

function member(name: string, parts: Partial<WaitingMember> = {}): WaitingMember {
  const place = { namespace: "shop", repository: "r/app", version: "1.1.0", wave: 0, since: after(0) };
  return { uid: `u-${name}`, name, ...place, ...parts };
}

const blocker = (name: string, parts: Partial<Blocker> = {}): Blocker => ({ ...blockerOf(member(name)), ...parts });

const limits = (total: number, perNamespace = total, perRepository = total) => ({ total, perNamespace, perRepository });
const names = (found: readonly { readonly name: string }[]) => found.map(({ name }) => name);
const moving = (namespace: string, repository = "r/other") => ({ namespace, repository });

describe("places", () => {
  test.for<{
    when: string;
    waiting: readonly WaitingMember[];
    max?: ReturnType<typeof limits>;
    occupied?: Partial<Occupied>;
    blockers?: readonly Blocker[];
    granted: readonly string[];
    waits?: Readonly<Record<string, object>>;
  }>([
    { when: "nothing waits", waiting: [], granted: [] },
    { when: "there is one for all", waiting: [member("b"), member("a")], granted: ["a", "b"] },
    {
      when: "some are taken, the longest wait is first",
      waiting: [member("a"), member("b", { since: after(-9) }), member("c", { since: after(-5) })],
      occupied: { moving: [moving("x")] },
      granted: ["b", "c"],
      waits: { a: { kind: "full", by: "total", position: 1 } },
    },
    {
      when: "executions have no claim yet, they count",
      waiting: [member("a"), member("b")],
      occupied: { unclaimed: ["x-web-1", "y-web-1"] },
      granted: ["a"],
      waits: { b: { kind: "full", position: 1 } },
    },
    {
      when: "more are taken than there are",
      waiting: [member("a")],
      max: limits(1),
      occupied: { moving: [moving("x"), moving("y")] },
      granted: [],
      waits: { a: { kind: "full", by: "total", position: 1 } },
    },
    {
      when: "a namespace has its own limit, also by executions without a claim",
      waiting: [member("a"), member("b"), member("c", { namespace: "other" })],
      max: limits(9, 2),
      occupied: { moving: [moving("shop")], unclaimed: ["other-c-1", "other-d-1"] },
      granted: ["a"],
      waits: { b: { kind: "full", by: "namespace" }, c: { kind: "full", by: "namespace" } },
    },
    {
      when: "a repository has its own limit, others pass",
      waiting: [member("a"), member("b"), member("c", { repository: "r/lib", since: after(5) })],
      max: limits(9, 9, 1),
      granted: ["a", "c"],
      waits: { b: { kind: "full", by: "repository", position: 1 } },
    },
    {
      when: "namespaces take turns, the one with the fewest updates first",
      waiting: ["a", "b", "c"].map((name) => member(name)).concat(member("z", { namespace: "z", since: after(9) })),
      occupied: { moving: [moving("shop")] },
      granted: ["z", "a"],
      waits: { b: { position: 1 }, c: { position: 2 } },
    },
    {
      when: "an earlier wave waits",
      waiting: [member("a", { wave: 1, since: after(-9) }), member("b"), member("c", { wave: -1 })],
      granted: ["c"],
      waits: { a: { kind: "wave" }, b: { kind: "wave" } },
    },
    {
      when: "an earlier wave is updated",
      waiting: [member("a", { wave: 2 })],
      blockers: [blocker("b", { wave: 1 }), blocker("c", { wave: 2 })],
      granted: [],
      waits: { a: { kind: "wave", blockers: [blocker("b", { wave: 1 })] } },
    },
    {
      when: "an earlier wave failed with the version",
      waiting: [member("a", { wave: 2 })],
      blockers: [blocker("b", { hasFailed: true })],
      granted: [],
      waits: { a: { kind: "wave", blockers: [blocker("b", { hasFailed: true })] } },
    },
    {
      when: "an earlier wave may want any version",
      waiting: [member("a", { wave: 2 })],
      blockers: [blocker("b", { versions: [anyVersion] }), blocker("c", { versions: [anyVersion], wave: 2 })],
      granted: [],
      waits: { a: { kind: "wave", blockers: [blocker("b", { versions: [anyVersion] })] } },
    },
    {
      when: "it is one of the versions that have failed in an earlier wave",
      waiting: [member("a", { wave: 2 })],
      blockers: [blocker("b", { versions: ["1.0.8", "1.1.0"], hasFailed: true })],
      granted: [],
      waits: { a: { kind: "wave", blockers: [blocker("b", { versions: ["1.0.8", "1.1.0"], hasFailed: true })] } },
    },
    ...[{ versions: ["1.0.9"] }, { namespace: "other" }, { repository: "r/lib" }].map((parts) => ({
      when: `an earlier wave is of ${JSON.stringify(parts)}`,
      waiting: [member("a", { wave: 2 })],
      blockers: [blocker("b", parts)],
      granted: ["a"],
    })),
  ])("if $when", ({ waiting, max = limits(3), occupied, blockers = [], granted, waits = {} }) => {
    const found = assignPlaces(waiting, blockers, { ...idle, ...occupied }, max);
    expect(names(found.granted)).toEqual(granted);
    const expected = Object.entries(waits).map(([name, wait]) => [`u-${name}`, expect.objectContaining(wait)]);
    expect(Object.fromEntries(found.waits)).toEqual(Object.fromEntries(expected));
  });

  test("have positions for the first ones that wait", () => {
    const waiting = Array.from({ length: maxPositions + 2 }, (_, index) => member(String(index).padStart(3, "0")));
    const { waits } = assignPlaces(waiting, [], idle, limits(1));
    const positions = [...waits.values()].map((wait) => (wait.kind === "full" ? wait.position : undefined));
    expect(positions).toEqual([...Array.from({ length: maxPositions }, (_, index) => index + 1), null]);
  });
});

describe("the limits of a cluster", () => {
  test.for([
    { settings: {}, optedIn: 0, total: 5 },
    { settings: {}, optedIn: 50, total: 5 },
    { settings: {}, optedIn: 51, total: 6 },
    { settings: {}, optedIn: 9000, total: 50 },
    { settings: { maxConcurrent: 80 }, optedIn: 3, total: 80 },
  ])("are $total of $optedIn workloads with $settings", ({ settings, optedIn, total }) => {
    expect(concurrencyOf(settings, optedIn)).toEqual({ total, perNamespace: total, perRepository: total });
  });

  test.for([
    { settings: {}, optedIn: 5, hasWaves: false, binds: false },
    { settings: {}, optedIn: 6, hasWaves: false, binds: true },
    { settings: {}, optedIn: 2, hasWaves: true, binds: true },
    { settings: { perNamespace: 1 }, optedIn: 2, hasWaves: false, binds: true },
    { settings: { perRepository: 1 }, optedIn: 2, hasWaves: false, binds: true },
  ])("of $optedIn workloads with $settings can delay an update: $binds", ({ settings, optedIn, hasWaves, binds }) => {
    expect(isBinding(concurrencyOf(settings, optedIn), { optedIn, hasWaves })).toBe(binds);
  });
});
