import { expect, test } from "vitest";
import { assessAttempt } from "../../../functions/domain/notification/attempts.ts";

const delivered = { kind: "delivered" };
const retry = (afterSeconds: number) => ({ kind: "retry", afterSeconds });
const failed = (reason: string, pauseSeconds = 0) => ({ kind: "failed", reason, pauseSeconds });

test.for([
  { attempt: 1, status: 200, verdict: delivered },
  { attempt: 3, status: 299, verdict: delivered },
  { attempt: 1, status: 500, verdict: retry(1) },
  { attempt: 1, status: 302, verdict: retry(1) },
  { attempt: 2, status: null, verdict: retry(5) },
  { attempt: 3, status: null, verdict: failed("no answer in attempt 3") },
  { attempt: 3, status: 199, verdict: failed("HTTP status 199 in attempt 3") },
  { attempt: 3, status: 300, verdict: failed("HTTP status 300 in attempt 3") },
  { attempt: 1, status: 429, after: 20, verdict: retry(20) },
  { attempt: 2, status: 503, after: 2, verdict: retry(5) },
  { attempt: 1, status: 429, after: 30, left: 39, verdict: failed("HTTP status 429 in attempt 1", 30) },
  { attempt: 1, status: 429, after: 10 ** 8, verdict: failed("HTTP status 429 in attempt 1", 3600) },
  { attempt: 1, status: null, left: 10, verdict: failed("no answer in attempt 1") },
])("attempt $attempt with $status, $after: $verdict", ({ attempt, status, after = null, left = 50, verdict }) => {
  expect(assessAttempt(attempt, { status, retryAfterSeconds: after }, left)).toEqual(verdict);
});
