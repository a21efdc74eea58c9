import { expect, test } from "vitest";
import type { Cause } from "../../../functions/domain/health/cause.ts";
import { evidenceIn, withAddition, withEvidence } from "../../../functions/domain/health/evidence.ts";

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

test.for([
  { of: "a long message", cause: { ...exit, message: `\u001B[31m${"x y ".repeat(5000)}\u0007`, restarts: 4 } },
  { of: "a long message of wide characters", cause: { ...exit, message: "😀".repeat(500), restarts: 1 } },
  { of: "a long reason of a runtime", cause: { ...exit, reason: "Reason ".repeat(100), message: "no DB_URL" } },
  { of: "a message that changes the direction of text", cause: { ...exit, message: "\u202Eno \u2066DB_URL\u200F" } },
  { of: "many restarts", cause: { ...exit, reason: "r".repeat(99), restarts: Number.MAX_SAFE_INTEGER } },
])("a reason with $of has at most 256 characters, all visible, and none is divided", ({ cause }) => {
  for (const pod of ["web-1", "p".repeat(253)])
    for (const reason of ["late", "late ".repeat(200), "😀".repeat(200)]) {
      const text = withEvidence(reason, [{ pod, cause: { ...cause, container: `c${"d".repeat(62)}` } }]);
      expect(text.length).toBeLessThanOrEqual(256);
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      expect(evidenceIn(text)).toMatch(/^1 pod failing: (?:web-1|p{62}…) \(cd{62}\) /);
    }
});

test("the reason is truncated, and the evidence is not", () => {
  const text = withEvidence("late ".repeat(200), [
    { pod: "web-1", cause: { ...exit, message: "no DB_URL", restarts: 4 } },
  ]);
  expect(text).toHaveLength(256);
  expect(text).toMatch(/late …; 1 pod failing: web-1 \(web\) exit 1 `no DB_URL` \(4 restarts\)$/);
});

test("what was concluded from the pods is kept, and their message is cut", () => {
  const cause = { ...exit, message: "no DB_URL, no API_URL", restarts: 1 };
  const seen = withEvidence("not ready after 120 s", [{ pod: "web-678f5f58bd-6vvnl", cause }]);
  const concluded = withAddition(seen, "1.0.0 was not available before the update either");
  const pods = [
    { pod: "web-5596548759-4bmqq", cause },
    { pod: "web-5596548759-x8x2z", cause },
  ];
  const text = withAddition(concluded, withEvidence("a pod of 1.0.0 not ready after 120 s", pods));
  expect(text).toHaveLength(256);
  expect(text).toContain("; 1.0.0 was not available before the update either; a pod of 1.0.0 not ready");
  expect(evidenceIn(text)).toBe("1 pod failing: web-678f5f58bd-6vvnl (web) exit 1 `no DB_…`");
  expect(withAddition(withAddition("late", "a ".repeat(150)), "b ".repeat(126))).toHaveLength(256);
});

test.for([
  { of: "a reason without any", reason: "not ready after 600 s", found: null },
  { of: "a reason", reason: describe(exit), found: "1 pod failing: web-0 (web) exit 1" },
  {
    of: "a reason that continues",
    reason: `${describe({ ...exit, message: "a; `b`", restarts: 1 })}; 1.0.0 was not ready`,
    found: "1 pod failing: web-0 (web) exit 1 `a; 'b'` (1 restart)",
  },
  { of: "waiting pods", reason: describe(pull, pull), found: "2 pods waiting: web-0 (web) ImagePullBackOff" },
])("finds the evidence in $of", ({ reason, found }) => {
  expect(evidenceIn(reason)).toBe(found);
});
