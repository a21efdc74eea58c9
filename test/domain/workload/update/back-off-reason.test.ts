import { expect, test } from "vitest";
import { isStalled } from "../../../../functions/domain/workload/update/back-off.ts";
import { backOffReasons } from "../../../../functions/domain/workload/update/back-off-reason.ts";

test.for(backOffReasons)("only unexpected errors stall: %s", (reason) => {
  expect([2, 3, 1000].map((attempts) => isStalled({ reason, attempts }))).toEqual(
    reason === "Failed" ? [false, true, true] : [false, false, false],
  );
});
