import { expect, test } from "vitest";
import { isTold, withMarks } from "../../../functions/domain/node-pool/told.ts";

test.for([
  { told: null, is: false },
  { told: "staged=b", is: false },
  { told: "staged=ab", is: false },
  { told: "staged=a", is: true },
  { told: "draining=t staged=a", is: true },
])("whether staged=a is among $told", ({ told, is }) => {
  expect(isTold(told, "staged=a")).toBe(is);
});

test.for<[string | null, string[], string]>([
  [null, ["staged=a"], "staged=a"],
  ["staged=a", ["staged=b"], "staged=b"],
  ["staged=a draining=s", ["draining=t"], "staged=a draining=t"],
  ["draining=s", ["staged=b", "draining=t"], "staged=b draining=t"],
])("after %j, %j was said too: %s", ([told, marks, remembered]) => {
  expect(withMarks(told, marks)).toBe(remembered);
});
