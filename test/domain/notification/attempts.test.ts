import { expect, test } from "vitest";
import { assessAttempt } from "../../../functions/domain/notification/attempts.ts";

test.for([
  { attempt: 1, answer: 200, verdict: { kind: "delivered" } },
  { attempt: 3, answer: 299, verdict: { kind: "delivered" } },
  { attempt: 1, answer: 500, verdict: { kind: "retry", afterSeconds: 1 } },
  { attempt: 1, answer: 302, verdict: { kind: "retry", afterSeconds: 1 } },
  { attempt: 2, answer: null, verdict: { kind: "retry", afterSeconds: 5 } },
  { attempt: 3, answer: null, verdict: { kind: "failed", reason: "no answer in attempt 3" } },
  { attempt: 3, answer: 199, verdict: { kind: "failed", reason: "HTTP status 199 in attempt 3" } },
  { attempt: 3, answer: 300, verdict: { kind: "failed", reason: "HTTP status 300 in attempt 3" } },
] as const)("attempt $attempt with $answer: $verdict.kind", ({ attempt, answer, verdict }) => {
  expect(assessAttempt(attempt, answer)).toEqual(verdict);
});
