import { expect, test } from "vitest";
import { aborted, entered, type Happening } from "../../../infra/local/step-functions/happenings.ts";
import { openRecord } from "../../../infra/local/step-functions/record.ts";
import { startedAt } from "./step-functions-fixture.ts";

test("a history takes nothing after the event that ended it", () => {
  const told: Happening[] = [];
  const record = openRecord(
    () => startedAt,
    (happening) => told.push(happening),
  );
  record.write(entered("Pass", "S", {}));
  record.write(aborted({ error: "Operator" }));
  record.write(entered("Pass", "T", {}));
  expect(record.events.map(({ id, previousEventId, type }) => [id, previousEventId, type])).toEqual([
    [1, 0, "PassStateEntered"],
    [2, 1, "ExecutionAborted"],
  ]);
  expect(record.ending).toEqual({ status: "ABORTED", error: "Operator", at: startedAt });
  expect(told).toHaveLength(2);
});

test("a history that is full fails its execution, as in Step Functions", () => {
  const record = openRecord(
    () => startedAt,
    () => {},
  );
  for (let written = 0; written < 24_999; written++) record.write(entered("Pass", "S", {}));
  expect(record.ending).toBeNull();
  record.write(entered("Pass", "S", {}));
  expect(record.ending).toMatchObject({ status: "FAILED", error: "States.Runtime" });
  expect(record.events.at(-1)).toMatchObject({ id: 25_000, type: "ExecutionFailed" });
});
