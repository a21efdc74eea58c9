import { describe, expect, test } from "vitest";
import { addStartFacts, emptyStartFacts, unclaimed } from "../../../../functions/domain/gates/limits/start-facts.ts";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { after, noon, policy, updateTarget, updatingWorkload, workload } from "../../../support/workloads.ts";

function factsOf(...workloads: readonly Workload[]) {
  const facts = emptyStartFacts();
  for (const one of workloads) addStartFacts(facts, one, noon);
  return facts;
}

const update = updatingWorkload();
const updating = (parts: object, others: Partial<Workload> = {}): Workload => ({
  ...update,
  inFlight: { ...update.inFlight, ...parts } as InFlight,
  ...others,
});
const parked = (reason: string) => ({ parked: { reason, since: noon } });
const progress = (waitsFor: string) => ({ canaryProgress: { waitsFor } as NonNullable<Workload["canaryProgress"]> });
const failed = { target: updateTarget, until: noon, message: "", execution: "e-1", reason: "Failed" } as const;

describe("an update counts", () => {
  test.for<{ when: string; subject: Workload; moves: boolean; blocks: boolean }>([
    { when: "nothing is in flight", subject: workload(), moves: false, blocks: false },
    { when: "it rolls out", subject: update, moves: true, blocks: true },
    {
      when: "it waits without a deadline",
      subject: updating({ observation: { kind: "waiting", reason: "quota" } }),
      moves: false,
      blocks: true,
    },
    {
      when: "it bakes",
      subject: updating({ observation: { kind: "baking", since: noon } }),
      moves: false,
      blocks: true,
    },
    { when: "it is parked", subject: updating(parked("NoReplicas")), moves: false, blocks: false },
    { when: "its canary is parked", subject: updating(parked("CanaryPaused")), moves: false, blocks: true },
    { when: "its pull request is parked", subject: updating(parked("PullRequest")), moves: false, blocks: true },
    { when: "its canary is not verified", subject: updating(parked("Unverified")), moves: false, blocks: true },
    {
      when: "its controller is paused",
      subject: updating({}, { rollout: { ...update.rollout!, isPaused: true } }),
      moves: false,
      blocks: true,
    },
    { when: "it backs off", subject: updating({}, { backOff: { ...failed, attempts: 1 } }), moves: true, blocks: true },
    {
      when: "it is stalled",
      subject: updating({}, { backOff: { ...failed, attempts: 3 } }),
      moves: false,
      blocks: true,
    },
    { when: "its canary starts", subject: updating({ phase: "canary" }), moves: true, blocks: true },
    {
      when: "its canary is measured",
      subject: updating({ phase: "canary" }, progress("Readiness")),
      moves: true,
      blocks: true,
    },
    { when: "its canary waits", subject: updating({ phase: "canary" }, progress("Time")), moves: false, blocks: true },
  ])("if $when: $moves, and holds up later waves: $blocks", ({ subject, moves, blocks }) => {
    const { moving, blockers } = factsOf(subject);
    expect([moving.length > 0, blockers.length > 0]).toEqual([moves, blocks]);
  });
});

test("the facts of a cluster are its members, claims, failures and waits", () => {
  const gates = [{ name: "limits", reason: "LimitReached", message: "1st of 1", since: after(-5) }];
  const waits = workload({ gates, updateRecord: { candidateVersion: "1.1.0" } });
  const unnamed = workload({ gates, image: null, source: null });
  const facts = factsOf(
    update,
    waits,
    unnamed,
    workload({ gates: [{ name: "limits", reason: "LimitReached", message: "an older version wrote it" }] }),
    workload({ image: "not an image:", source: null, updateRecord: { failedVersions: ["1.0.8", "1.0.9"] } }),
    workload({ policy: { ...policy, optIn: "no", wave: 2 } }),
    updating({ execution: null }),
  );
  expect(facts).toMatchObject({ optedIn: 6, hasWaves: true, claims: new Set([update.inFlight?.execution]) });
  const member = { namespace: "shop", repository: "registry.example/shop/app", version: "1.1.0", wave: 0 };
  expect(facts.waiting).toMatchObject([
    { ...member, name: "deployment/app", since: after(-5) },
    { ...member, repository: "", version: "" },
  ]);
  const { version, ...place } = member;
  expect(facts.blockers).toMatchObject([
    { ...place, versions: [version], hasFailed: false },
    { repository: "not an image:", versions: ["1.0.8", "1.0.9"], hasFailed: true },
    { ...place, versions: [version], hasFailed: false },
  ]);
});

test("what could not be evaluated has no place, and holds up later waves until its time is over", () => {
  const gate = { name: "limits", reason: "NotEvaluated", message: "", since: noon };
  const at = (until: Date) => workload({ gates: [{ ...gate, until }] });
  const { waiting, unevaluated } = factsOf(at(after(-1)), at(noon), at(after(1)), workload({ gates: [gate] }));
  expect(waiting).toEqual([]);
  expect(unevaluated).toMatchObject([{ versions: ["*"], hasFailed: false }, { versions: ["*"] }]);
});

test("an execution without a claim counts until it should have one", () => {
  const running = new Map([
    ["claimed", after(0)],
    ["new", after(0)],
    ["almost", after(-9)],
    ["sleeps", after(-10)],
  ]);
  expect(unclaimed({ claims: new Set(["claimed"]) }, running, noon)).toEqual(["new", "almost"]);
});
