import { expect, test } from "vitest";
import { successNote } from "../../../../functions/domain/workload/record/success-note.ts";
import { inFlight, noon, target, updateTarget } from "../../../support/workloads.ts";

const ended = { stage: "post", job: "smoke", startedAt: noon } as const;

test.for([
  { when: "nothing is unknown", note: null },
  { when: "the bake time was judged", input: { verdict: "pass", reason: "all good" }, note: null },
  { when: "it was not", input: { verdict: "unknown", reason: "no data" }, note: "no data" },
  { when: "its verdict has no reason", input: { verdict: "unknown" }, note: null },
  { when: "the claim is released", claim: null, note: null },
  { when: "its post hook succeeded", hook: { ...ended, result: "succeeded" }, note: null },
  { when: "its post hook runs", hook: { ...ended, result: null }, note: null },
  { when: "another hook failed", hook: { ...ended, stage: "pre", result: "failed", reason: "exit 1" }, note: null },
  {
    when: "its post hook failed",
    hook: { ...ended, result: "failed", reason: "exit 1" },
    note: "the post hook smoke failed: exit 1",
  },
  {
    when: "its post hook has no result, for no known reason",
    hook: { ...ended, result: "unknown" },
    note: "the post hook smoke has no result: ",
  },
  { when: "a pod is frozen", frozen: "app-0 is frozen", note: "app-0 is frozen" },
  {
    when: "several are",
    input: { verdict: "unknown", reason: "no data" },
    hook: { ...ended, result: "failed", reason: "exit 1" },
    frozen: "app-0 is frozen",
    note: "no data; the post hook smoke failed: exit 1; app-0 is frozen",
  },
] as const)("if $when: $note", (given) => {
  const { claim, input = {}, hook, frozen = null, note } = { claim: inFlight, hook: undefined, ...given };
  const held = claim && { ...claim, ...(hook === undefined ? {} : { hook }) };
  expect(successNote(held, input, frozen)).toBe(note);
});

test("if its pods run another digest than was chosen", () => {
  const moved = { ...inFlight, target: { ...updateTarget, digest: "sha256:a" } } as const;
  const running = [{ container: "app", digest: "sha256:b", image: target }];
  expect(successNote(moved, {}, null, running)).toBe(
    "its pods run sha256:b, and sha256:a was chosen: its tag has moved",
  );
});
