import { expect, test } from "vitest";
import {
  backOffConditions,
  readBackOffCondition,
} from "../../../../../functions/adapters/kubernetes/kinds/claw/back-off-condition.ts";
import type { BackOff } from "../../../../../functions/domain/workload/workload.ts";
import { noon, target, updateTarget } from "../../../../support/workloads.ts";

const backOff: BackOff = {
  reason: "Refused",
  message: "denied:\nno owner label",
  target: updateTarget,
  attempts: 3,
  until: noon,
  execution: null,
};

test("a back-off is read from its condition as it was written", () => {
  const written = backOffConditions({ backOff }, []);
  expect(written).toEqual([
    {
      type: "AutoUpdateBackOff",
      status: "True",
      reason: "Refused",
      message: `attempt 3 of ${target}, tried again at 2026-11-20T12:00:00Z: denied:\nno owner label`,
    },
  ]);
  expect(readBackOffCondition(written)).toEqual(backOff);
  const failed = { ...backOff, reason: "Failed", execution: "e-1" } as const;
  expect(readBackOffCondition(backOffConditions({ backOff: failed }, []))).toEqual(failed);
});

test("a quarantine keeps the back-off before it, whatever that says", () => {
  const suspended = {
    ...backOff,
    reason: "Failed",
    message: "a (before it: Failed, b) ) c",
    execution: "e-1",
  } as const;
  const quarantine: BackOff = { ...backOff, reason: "Quarantined", message: "it ended (Runtime.ExitError); look" };
  for (const one of [quarantine, { ...quarantine, suspended }])
    expect(readBackOffCondition(backOffConditions({ backOff: one }, []))).toEqual(one);
});

test("its end is written only if it has begun", () => {
  const begun = backOffConditions({ backOff }, []);
  const ended = backOffConditions({ backOff: null }, begun);
  expect(ended).toMatchObject([{ type: "AutoUpdateBackOff", status: "False" }]);
  expect(readBackOffCondition(ended)).toBeNull();
  expect(backOffConditions({ backOff: null }, [])).toEqual([]);
  expect(backOffConditions({}, begun)).toEqual([]);
});

const text = `attempt 3 of ${target}, tried again at 2026-11-20T12:00:00Z: denied`;
test.for([
  { what: "none", conditions: undefined },
  { what: "another condition", conditions: [{ type: "Ready", status: "True", reason: "Refused", message: text }] },
  { what: "another reason", conditions: [{ type: "AutoUpdateBackOff", status: "True", reason: "x", message: text }] },
  {
    what: "another text",
    conditions: [{ type: "AutoUpdateBackOff", status: "True", reason: "Refused", message: "denied" }],
  },
  {
    what: "no time",
    conditions: [
      { type: "AutoUpdateBackOff", status: "True", reason: "Refused", message: text.replace("2026-11-20", "soon") },
    ],
  },
])("$what is no back-off", ({ conditions }) => {
  expect(readBackOffCondition(conditions)).toBeNull();
});
