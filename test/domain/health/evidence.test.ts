import { expect, test } from "vitest";
import type { Cause } from "../../../functions/domain/health/cause.ts";
import { withEvidence } from "../../../functions/domain/health/evidence.ts";

const exit: Cause = { blames: "version", reason: "Exit", container: "web", exitCode: 1, message: "", restarts: 0 };
const pull: Cause = { ...exit, blames: "excused", reason: "ImagePullBackOff", exitCode: null };

function describe(...causes: readonly Cause[]): string {
  return withEvidence(
    "late",
    causes.map((cause, index) => ({ pod: `web-${index}`, cause })),
  );
}

test.for([
  { of: "no pod", causes: [], text: "late" },
  { of: "one exit", causes: [exit], text: "late; 1 pod failing: web-0 (web) exit 1" },
  { of: "two exits", causes: [exit, exit], text: "late; 2 pods failing: web-0 (web) exit 1" },
  {
    of: "a message and restarts",
    causes: [{ ...exit, message: "no DB_URL\n", restarts: 4 }],
    text: "late; 1 pod failing: web-0 (web) exit 1 `no DB_URL` (4 restarts)",
  },
  {
    of: "one restart",
    causes: [{ ...exit, restarts: 1 }],
    text: "late; 1 pod failing: web-0 (web) exit 1 (1 restart)",
  },
  {
    of: "an exit with a reason",
    causes: [{ ...exit, reason: "OOMKilled", exitCode: 137 }],
    text: "late; 1 pod failing: web-0 (web) OOMKilled, exit 137",
  },
  { of: "excused pods", causes: [pull, pull], text: "late; 2 pods waiting: web-0 (web) ImagePullBackOff" },
  { of: "a failing pod after an excused one", causes: [pull, exit], text: "late; 1 pod failing: web-1 (web) exit 1" },
  {
    of: "a pod as a whole",
    causes: [{ ...pull, reason: "Evicted", container: null }],
    text: "late; 1 pod waiting: web-0 Evicted",
  },
  {
    of: "a secret in the message",
    causes: [{ ...exit, message: "cannot connect to postgres://app:hunter2@db/shop" }],
    text: "late; 1 pod failing: web-0 (web) exit 1 `cannot connect to postgres://app:[redacted]@db/shop`",
  },
])("$of: $text", ({ causes, text }) => {
  expect(describe(...causes)).toBe(text);
});

test("has at most 256 characters, without control characters", () => {
  const message = `\u001B[31m${"x y ".repeat(5000)}\u0007`;
  const name = "p".repeat(253);
  const text = withEvidence("", [{ pod: name, cause: { ...exit, message } }]);
  expect(text.length).toBeLessThanOrEqual("; ".length + 256);
  expect(text).not.toMatch(/\p{Cc}/u);
});
