import { expect, test } from "vitest";
import type { Decision } from "../../../../functions/domain/workload/decision/decision.ts";
import { isEmpty, planCheckRecord } from "../../../../functions/domain/workload/record/record-check.ts";
import { after, workload, updateTarget } from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

interface Case {
  readonly when: string;
  readonly decision: Exclude<Decision, { readonly kind: "adopt" }>;
}

const openCircuit = { reason: "circuit-open", detail: "it is open", target: updateTarget } as const;

const cases: readonly Case[] = [
  { when: "a problem", decision: { kind: "problem", problems: problemsOf("the CRD is not installed") } },
  { when: "an open circuit", decision: { kind: "hold", ...openCircuit } },
  { when: "an update", decision: { kind: "update", target: updateTarget } },
];

test.for(cases)("without the CRD nothing is written or emitted: $when", ({ decision }) => {
  const { record } = workload();
  const unrecordable = workload({ record: { ...record, state: "unavailable" } });
  expect(isEmpty(planCheckRecord(unrecordable, decision, after(1)))).toBe(true);
  expect(isEmpty(planCheckRecord(workload(), decision, after(1)))).toBe(false);
});
