import { expect, test } from "vitest";
import { parsePolicy } from "../../../../functions/domain/workload/policy/policy.ts";
import { candidateFields } from "../../../../functions/domain/workload/policy/fields/candidate-fields.ts";
import { gateFields } from "../../../../functions/domain/workload/policy/fields/gate-fields.ts";
import { rawPolicy } from "../../../support/raw-policy.ts";
import { textsOf } from "../../../support/problems.ts";
import { claw, workload } from "../../../support/workloads.ts";

const rules = {
  defaultSchedule: null,
  defaultToleranceSeconds: 3600,
  canaryUnavailableReason: null,
  minHealthTimeoutSeconds: 1,
  maxHealthTimeoutSeconds: 86_400,
};

const daytime = [{ start: "10:00", duration: "2h" }];

test.for<{
  written: Readonly<Record<string, unknown>>;
  problem: string | null;
}>([
  {
    written: { schedule: "0 3 * * *", windows: daytime },
    problem: "schedule and spec.autoUpdate.windows: no window is open within 1h0m0s of a time of the schedule; change",
  },
  { written: { schedule: "0 3 * * *", windows: daytime, scheduleTolerance: "7h" }, problem: "within 7h0m0s" },
  { written: { schedule: "0 3 * * *", windows: daytime, scheduleTolerance: "7h1m" }, problem: null },
  { written: { schedule: "30 9 * * *", windows: daytime }, problem: null },
  { written: { schedule: "0 12 * * *", windows: daytime }, problem: "within 1h0m0s" },
  { written: { schedule: "@daily", windows: daytime }, problem: "within 1h0m0s" },
  { written: { schedule: "@every 24h", windows: daytime }, problem: null },
  { written: { schedule: "CRON_TZ=Asia/Tokyo 0 19 * * *", windows: daytime }, problem: null },
  { written: { windows: daytime }, problem: null },
  { written: { schedule: "0 3 * * *" }, problem: null },
  { written: { schedule: "0 3 * * *", enforcedWindows: [daytime] }, problem: "no window is open within 1h0m0s" },
  {
    written: { windows: daytime, enforcedWindows: [[{ start: "12:00", duration: "2h" }]] },
    problem: "no windows of the owner and of all that the deployment enforces are open at once",
  },
])("a schedule and windows that never meet are a problem: $written", ({ written, problem }) => {
  const { problems } = parsePolicy(rawPolicy(written), "yes", rules);
  const expected = [{ code: "NeverOpens", text: expect.stringContaining(problem ?? "") }];
  expect(problems).toMatchObject(problem === null ? [] : expected);
});

test("without a tolerance, as of a Claw, a schedule is due until the next poll in a window", () => {
  const ofClaw = { ...rules, defaultToleranceSeconds: null };
  expect(parsePolicy(rawPolicy({ schedule: "0 3 * * *", windows: daytime }), "yes", ofClaw).problems).toEqual([]);
});

test.for([
  { age: "3d", seconds: 259_200, shown: "3d" },
  { age: "36h", seconds: 129_600, shown: "1d12h0m0s" },
  { age: "0", seconds: undefined, shown: null },
  { age: " ", seconds: undefined, shown: null },
])("a minimum release age of $age is $seconds s", ({ age, seconds, shown }) => {
  const { policy, problems } = parsePolicy(rawPolicy({ minimumReleaseAge: age }), "yes", rules);
  expect(problems).toEqual([]);
  expect(policy.minimumReleaseAgeSeconds).toBe(seconds);
  expect(candidateFields.minimumReleaseAge.format({ ...workload(), policy })).toBe(shown);
});

test.for([
  { written: { minimumReleaseAge: "3 days" }, reason: '"3 days" is not a duration' },
  { written: { minimumReleaseAge: "366d" }, reason: "at most 365d" },
  { written: { minimumReleaseAge: "1".repeat(65) }, reason: "65 characters" },
  { written: { minimumReleaseAge: "3d", pin: "tag" }, reason: "excludes gates that judge a digest" },
])("a minimum release age that is invalid is a problem: $reason", ({ written, reason }) => {
  expect(textsOf(parsePolicy(rawPolicy(written), "yes", rules).problems)).toEqual([expect.stringContaining(reason)]);
});

test.for([
  { approval: { by: ["user:a"] }, parsed: { required: 1, by: ["user:a"] }, reasons: 0, shown: "1 of user:a" },
  { approval: { by: [] }, parsed: undefined, reasons: 1, shown: null },
  { approval: "x".repeat(8193), parsed: undefined, reasons: 1, shown: null },
])("the approval $shown", ({ approval, parsed, reasons, shown }) => {
  const { policy, problems } = parsePolicy(rawPolicy({ approval }), "yes", rules);
  expect(problems).toHaveLength(reasons);
  expect(policy.approval).toEqual(parsed);
  expect(candidateFields.approval.format({ ...workload(), policy })).toBe(shown);
});

test.for([
  { after: [{ name: "web", soak: "24h" }], parsed: 1, reasons: 0, shown: "1d in deployment/shop/web" },
  { after: [], parsed: undefined, reasons: 1, shown: null },
  { after: "x".repeat(4097), parsed: undefined, reasons: 1, shown: null },
])("after others: $shown", ({ after, parsed, reasons, shown }) => {
  const { policy, problems } = parsePolicy(rawPolicy({ after }), "yes", rules);
  expect(problems).toHaveLength(reasons);
  expect(policy.after?.length).toBe(parsed);
  expect(candidateFields.after.format({ ...workload(), policy })).toBe(shown);
});

test.for([
  { visibleTo: ["shop", "team-b"], parsed: ["shop", "team-b"], shown: "shop, team-b" },
  { visibleTo: " ", parsed: undefined, shown: null },
])("visible to $shown", ({ visibleTo, parsed, shown }) => {
  const raw = typeof visibleTo === "string" ? visibleTo : visibleTo.join(",");
  const { policy } = parsePolicy(rawPolicy({ visibleTo: raw }), "yes", rules);
  expect(policy.visibleTo).toEqual(parsed);
  expect(candidateFields.visibleTo.format({ ...workload(), policy })).toBe(shown);
});

test.for([
  { when: "none is set", of: workload(), rows: [null, null, null, null, null] },
  {
    when: "all are set",
    of: workload({
      policy: {
        schedule: "@daily",
        windows: [
          { schedule: "0 22 * * *", durationSeconds: 60 },
          { schedule: "0 4 * * *", durationSeconds: 3600, zone: "Asia/Tokyo" },
        ],
        rollsBackAtWindowEnd: true,
        onRevert: "reapply",
        isVerifyRequired: true,
      },
    }),
    rows: ["1h0m0s", "0 22 * * * UTC for 1m0s; 0 4 * * * Asia/Tokyo for 1h0m0s", "rolled back", "reapply", "required"],
  },
  { when: "a Claw has no tolerance", of: claw(), rows: [null, null, null, null, null] },
])("for people, if $when", ({ of, rows }) => {
  const { scheduleTolerance, windows, onWindowEnd, onRevert, verify } = gateFields;
  expect([scheduleTolerance, windows, onWindowEnd, onRevert, verify].map(({ format }) => format(of))).toEqual(rows);
});

test.for([
  { onRevert: "reapply", read: "reapply", problems: [] },
  { onRevert: " hold ", read: undefined, problems: [] },
  { onRevert: "", read: undefined, problems: [] },
  { onRevert: "Reapply", read: undefined, problems: ['is neither "hold" nor "reapply"'] },
  { onRevert: "r".repeat(17), read: undefined, problems: ["has 17 characters; use at most 16"] },
])("on-revert $onRevert", ({ onRevert, read, problems: expected }) => {
  const { policy, problems } = parsePolicy(rawPolicy({ onRevert }), "yes", rules);
  expect(policy.onRevert).toBe(read);
  expect(textsOf(problems)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

test.for([
  {
    written: { settleTime: "90s", minimumInterval: "1d" },
    parsed: { settleSeconds: 90, minimumIntervalSeconds: 86_400 },
  },
  { written: { settleTime: "0s", minimumInterval: " " }, parsed: { settleSeconds: 0 } },
  { written: { restartsInWindows: "true" }, parsed: { restartsInWindows: true } },
  { written: { restartsInWindows: "false" }, parsed: {} },
  {
    written: { restartsInWindows: "yes" },
    parsed: { restartsInWindows: true },
    reason: 'is neither "true" nor "false"',
  },
  { written: { settleTime: "25h" }, parsed: {}, reason: "must be at most 1d" },
  { written: { settleTime: "half a minute" }, parsed: {}, reason: "is not a duration" },
  { written: { settleTime: "1".repeat(65) }, parsed: {}, reason: "65 characters" },
  { written: { minimumInterval: "8d" }, parsed: {}, reason: "must be at most 7d" },
  { written: { minimumInterval: "-5m" }, parsed: {}, reason: "is not a duration" },
  { written: { minimumInterval: "1".repeat(65) }, parsed: {}, reason: "65 characters" },
])("restarts for the configuration: $written", ({ written, parsed, reason = "" }) => {
  const { policy, problems } = parsePolicy(rawPolicy(written), "yes", rules);
  expect(problems).toHaveLength(reason === "" ? 0 : 1);
  expect(textsOf(problems).join()).toContain(reason);
  const { settleSeconds, minimumIntervalSeconds, restartsInWindows } = policy;
  expect({ settleSeconds, minimumIntervalSeconds, restartsInWindows }).toEqual({
    settleSeconds: undefined,
    minimumIntervalSeconds: undefined,
    restartsInWindows: undefined,
    ...parsed,
  });
});

test.for([
  { scan: { maxSeverity: "HIGH" }, parsed: "HIGH", reasons: 0 },
  { scan: { maxSeverity: "high" }, parsed: undefined, reasons: 1 },
  { scan: "x".repeat(1025), parsed: undefined, reasons: 1 },
  { scan: undefined, parsed: undefined, reasons: 0 },
])("the scan $parsed", ({ scan, parsed, reasons }) => {
  const { policy, problems } = parsePolicy(rawPolicy(scan === undefined ? {} : { scan }), "yes", rules);
  expect(problems).toHaveLength(reasons);
  expect(policy.scan?.maxSeverity).toBe(parsed);
});

test.for([
  { written: undefined, read: undefined, reasons: [] },
  { written: " supersede ", read: undefined, reasons: [] },
  { written: "wait", read: "wait", reasons: [] },
  { written: "never", read: "wait", reasons: ['is neither "supersede" nor "wait"'] },
])("on-new-version $written: $read", ({ written, read, reasons }) => {
  const { policy: parsed, problems } = parsePolicy(rawPolicy({ onNewVersion: written }), "yes", rules);
  expect(parsed.onNewVersion).toBe(read);
  expect(textsOf(problems)).toEqual(reasons.map((reason) => expect.stringContaining(reason)));
});

test.for([
  { written: undefined, read: undefined, reasons: [] },
  { written: " stable ", read: undefined, reasons: [] },
  { written: "sameAge", read: "sameAge", reasons: [] },
  { written: "sameage", read: "sameAge", reasons: ['is neither "stable" nor "sameAge"'] },
])("canary-baseline $written: $read", ({ written, read, reasons }) => {
  const { policy: parsed, problems } = parsePolicy(rawPolicy({ baseline: written }), "yes", rules);
  expect(parsed.baseline).toBe(read);
  expect(textsOf(problems)).toEqual(reasons.map((reason) => expect.stringContaining(reason)));
});
