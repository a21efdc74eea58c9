import { expect, test } from "vitest";
import { type Decision, hold } from "../../../functions/domain/workload/decision.ts";
import { reportUnknownTargets } from "../../../functions/domain/workload/unknown-targets.ts";
import { inFlight, target, workload, type WorkloadParts } from "../../support/workloads.ts";

const held = hold("no-newer-version", "nothing newer");
const update = { kind: "update", version: "1.1.0", image: target } as const;
const targets = ["team-a", "on-call"];
const misspelt = 'pawl.dev/notify "taem-a": is no target of notifications in this deployment; did you mean team-a?';

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
      problems: [
        'pawl.dev/notify "team-a": is no target of notifications in this deployment; remove the name, or add the target to the configuration',
      ],
      held,
    },
  },
  {
    when: "it has another problem",
    notify: ["taem-a"],
    decision: { kind: "problem", problems: ["another"] },
    expected: { kind: "problem", problems: ["another", misspelt] },
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
