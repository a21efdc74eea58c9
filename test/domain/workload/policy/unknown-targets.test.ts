import { expect, test } from "vitest";
import type { Problem } from "../../../../functions/domain/workload/policy/problem.ts";
import { type Decision, hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { reportUnknownTargets } from "../../../../functions/domain/workload/policy/unknown-targets.ts";
import { inFlight, workload, type WorkloadParts, updateTarget } from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const held = hold("no-newer-version", "nothing newer");
const update = { kind: "update", target: updateTarget } as const;
const targets = ["team-a", "on-call"];
const misspelt = unknown("taem-a", "did you mean team-a?");

function unknown(name: string, fix: string): Problem {
  const text = `pawl.dev/notify "${name}": is no target of notifications in this deployment; ${fix}`;
  return { field: "pawl.dev/notify", code: "NotFound", text };
}

interface Case {
  readonly when: string;
  readonly notify: readonly string[];
  readonly decision?: Decision;
  readonly parts?: WorkloadParts;
  readonly known?: readonly string[];
  readonly expected: Decision;
}

test.for<Case>([
  { when: "it names no target", notify: [], expected: held },
  { when: "it names known targets", notify: targets, expected: held },
  {
    when: "it misspells one",
    notify: ["on-call", "taem-a"],
    expected: { kind: "problem", problems: [misspelt], held },
  },
  {
    when: "the deployment has none",
    notify: ["team-a"],
    known: [],
    expected: {
      kind: "problem",
      problems: [unknown("team-a", "remove the name, or add the target to the configuration")],
      held,
    },
  },
  {
    when: "it has another problem",
    notify: ["taem-a"],
    decision: { kind: "problem", problems: problemsOf("another") },
    expected: { kind: "problem", problems: [...problemsOf("another"), misspelt] },
  },
  { when: "an update starts, which does not wait", notify: ["taem-a"], decision: update, expected: update },
  { when: "an update is in flight", notify: ["taem-a"], parts: { inFlight }, expected: held },
  {
    when: "its canary is removed first",
    notify: ["taem-a"],
    decision: hold("canary-left", "it is removed"),
    expected: hold("canary-left", "it is removed"),
  },
])("if $when: $expected.kind", ({ notify, decision = held, parts, known = targets, expected }) => {
  expect(reportUnknownTargets(workload({ ...parts, policy: { notify } }), decision, known)).toEqual(expected);
});
