import { expect, test } from "vitest";
import {
  executionAborted,
  stateEntered,
  type HistoryEventDraft,
} from "../../../infra/local/step-functions/history-events.ts";
import { createHistoryWriter } from "../../../infra/local/step-functions/history-writer.ts";
import { startedAt } from "./step-functions-fixture.ts";

test("a history ignores events after the one that ends the execution", () => {
  const emitted: HistoryEventDraft[] = [];
  const writer = createHistoryWriter(
    () => startedAt,
    (event) => emitted.push(event),
  );
  writer.write(stateEntered("Pass", "S", {}));
  writer.write(executionAborted({ error: "Operator" }));
  writer.write(stateEntered("Pass", "T", {}));
  expect(writer.events.map(({ id, previousEventId, type }) => [id, previousEventId, type])).toEqual([
    [1, 0, "PassStateEntered"],
    [2, 1, "ExecutionAborted"],
  ]);
  expect(writer.outcome).toEqual({ status: "ABORTED", error: "Operator", at: startedAt });
  expect(emitted).toHaveLength(2);
});

test("a full history fails its execution, as in Step Functions", () => {
  const writer = createHistoryWriter(
    () => startedAt,
    () => {},
  );
  for (let written = 0; written < 24_999; written++) writer.write(stateEntered("Pass", "S", {}));
  expect(writer.outcome).toBeNull();
  writer.write(stateEntered("Pass", "S", {}));
  expect(writer.outcome).toMatchObject({ status: "FAILED", error: "States.Runtime" });
  expect(writer.events.at(-1)).toMatchObject({ id: 25_000, type: "ExecutionFailed" });
});
