import { expect, test } from "vitest";
import type { State } from "../../../infra/local/step-functions/definition.ts";
import { maxTimerSeconds, translate } from "../../../infra/local/step-functions/translate.ts";

const task = { Type: "Task", Resource: "arn:aws:states:::lambda:invoke", End: true };

function translated(state: State) {
  return translate({ StartAt: "S", States: { S: state } }, 0.01).States["S"];
}

test.for([
  { retrier: { IntervalSeconds: 2, MaxDelaySeconds: 60 }, becomes: { IntervalSeconds: 0.02, MaxDelaySeconds: 0.6 } },
  { retrier: { BackoffRate: 3, MaxAttempts: 7 }, becomes: { IntervalSeconds: 0.01, BackoffRate: 3, MaxAttempts: 7 } },
])("the delays of $retrier are scaled", ({ retrier, becomes }) => {
  expect(translated({ ...task, Retry: [retrier] })?.Retry).toEqual([becomes]);
});

test.for([
  { of: "a Task with a timeout", state: { ...task, TimeoutSeconds: 60 }, becomes: 60 },
  { of: "a Task without a timeout", state: task, becomes: maxTimerSeconds },
  { of: "a Task with AWS's maximum", state: { ...task, TimeoutSeconds: 99_999_999 }, becomes: maxTimerSeconds },
])("the timeout of $of becomes $becomes", ({ state, becomes }) => {
  expect(translated(state)?.TimeoutSeconds).toBe(becomes);
});

test.for([
  { wait: { Seconds: 5 }, due: { seconds: 5 } },
  { wait: { SecondsPath: "$.s" }, due: { "seconds.$": "$.s" } },
  { wait: { Timestamp: "2026-11-20T10:00:00Z" }, due: { timestamp: "2026-11-20T10:00:00Z" } },
  { wait: { TimestampPath: "$.t" }, due: { "timestamp.$": "$.t" } },
])("a wait of $wait becomes a Task with these parameters", ({ wait, due }) => {
  const state = translated({ Type: "Wait", ...wait });
  expect(state).toMatchObject({ Type: "Task", Parameters: { "input.$": "$", ...due } });
  expect(Object.keys(state ?? {})).not.toContain(Object.keys(wait)[0]);
});
