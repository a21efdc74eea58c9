import { describe, expect, test } from "vitest";
import { laterWaves, mayBlock, unevaluatedHold } from "../../../../functions/domain/gates/limits/unevaluated.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { after, noon, policy, updatingWorkload, workload } from "../../../support/workloads.ts";

const gate = (reason: string) => ({ name: "limits", reason, message: "it waits", since: after(-60) });
const waits = workload({ gates: [gate("LimitReached")] });
const unevaluated = workload({ gates: [gate("NotEvaluated")] });
const suspended = { policy: { ...policy, paused: true } };
const backOff = {
  target: { kind: "image", image: "web:1.1.0" },
  attempts: 1,
  until: noon,
  message: "",
  execution: null,
  reason: "Failed",
} as const;

describe("a workload that could not be evaluated", () => {
  test.for<{ when: string; subject: Workload; hadPlace?: boolean; isBefore?: boolean; since: Date | null }>([
    { when: "it waits for no place", subject: workload(), since: null },
    { when: "it waits", subject: waits, since: after(-60) },
    {
      when: "it waits, and an older version recorded no time",
      subject: workload({ gates: [{ ...gate("LimitReached"), since: undefined as never }] }),
      since: noon,
    },
    { when: "that is recorded", subject: unevaluated, since: null },
    {
      when: "that is recorded, and then it could not be started",
      subject: unevaluated,
      hadPlace: true,
      since: after(1 / 60),
    },
    { when: "it could not be started", subject: waits, hadPlace: true, since: after(1 / 60) },
    { when: "later waves wait for it", subject: workload(), isBefore: true, since: noon },
    { when: "later waves wait for it, and it is suspended", subject: workload(suspended), isBefore: true, since: null },
  ])("if $when: since $since", ({ subject, hadPlace = false, isBefore = false, since }) => {
    const held = unevaluatedHold(subject, { cause: "Unreachable", hadPlace, isBefore }, noon);
    const times = (at: Date) => at.toISOString().replace(".000", "");
    expect(held?.gates ?? null).toEqual(
      since && [
        {
          name: "limits",
          reason: "NotEvaluated",
          message: "the last poll could not evaluate or start it (Unreachable); it has no place until one can",
          since: times(since),
          until: times(after(60)),
        },
      ],
    );
  });

  test.for<readonly [string, Workload, boolean]>([
    ["is idle", workload(), true],
    ["is suspended", workload(suspended), false],
    ["did not opt in", workload({ policy: { ...policy, optIn: "no" } }), false],
    ["is updated", updatingWorkload(), false],
    ["backs off", workload({ backOff }), false],
    ["is held", workload({ lastReported: { held: "a person changed it", problem: null } }), false],
    ["has a problem", workload({ lastReported: { held: null, problem: "the schedule is invalid" } }), false],
    ["has an open circuit", workload({ updateRecord: { circuitOpen: true } }), false],
    [
      "has no AutoUpdate",
      workload({ record: { ...workload().record, resourceVersion: null, state: "observed" } }),
      false,
    ],
  ])("that %s may hold up later waves: %s", ([, subject, blocks]) => {
    expect(mayBlock(subject)).toBe(blocks);
  });
});

test("a later wave is one of the same namespace and repository", () => {
  const wave = (order: number, image = "r.example/app:1.0.0", namespace = "shop") =>
    workload({ image, source: image, policy: { ...policy, wave: order }, ref: { ...workload().ref, namespace } });
  const isBefore = laterWaves([
    wave(0),
    wave(2),
    wave(5, "r.example/lib:1.0.0"),
    wave(5, "r.example/app:1.0.0", "other"),
  ]);
  expect([wave(0), wave(1), wave(2), wave(0, "r.example/new:1.0.0")].map(isBefore)).toEqual([true, true, false, false]);
});
