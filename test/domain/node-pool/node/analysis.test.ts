import { expect, test } from "vitest";
import { measure, startAnalysis } from "../../../../functions/domain/analysis/measure.ts";
import type { Verdict } from "../../../../functions/domain/analysis/judge.ts";
import { analysisOf, findMeasuring } from "../../../../functions/domain/node-pool/node/analysis.ts";
import type { BootcNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePoolStatus } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { alertsQuery } from "../../../../functions/domain/node-pool/pool/alerts.ts";
import { parseSpec } from "../../../../functions/domain/node-pool/pool/spec.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { assessWork, planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { computeWaitSeconds } from "../../../../functions/domain/node-pool/step/wait-time.ts";
import { after } from "../../../support/workloads.ts";
import { member, pool, poolState, rawSpec, slot, staged, updated } from "../pools.ts";

const metric = {
  name: "errors",
  query: 'errors{node="{{args.node}}",pool="{{args.pool}}"}',
  failureCondition: "result > 0",
};
const { analysis } = parseSpec({
  ...rawSpec,
  analysis: { interval: "30s", count: 2, noDataTimeout: "2m", metrics: [metric] },
}).spec;

/** What was measured so far, once a minute from the reboot on. */
function runOf(verdicts: readonly Verdict[], startedAt = after(1)) {
  const at = (index: number) => new Date(startedAt.getTime() + index * 60_000);
  const outcomes = verdicts.map((verdict) => ({ verdict, value: verdict === "error" ? null : 1, note: verdict }));
  return outcomes.reduce((run, outcome, index) => measure(run, "errors", outcome, at(index)), startAnalysis(startedAt));
}

const booted = { ...updated, slot: { ...slot, approvedAt: after(0), bootedAt: after(1) } };
const stateOf = (
  run: BootcNode["analysis"],
  status: Partial<NodePoolStatus> = {},
  onHalt: "Hold" | "Rollback" = "Hold",
) =>
  poolState([member("w1", { ...booted, analysis: run })], {
    pool: pool({ analysis, onHalt }, { status }),
    now: after(5),
  });

test.for([
  {
    when: "nothing is measured yet",
    run: null,
    step: { kind: "wait", for: "soak", reason: "its metrics are measured" },
  },
  { when: "a metric is not decided", run: runOf(["pass"]), step: { kind: "wait", for: "soak" } },
  { when: "all metrics pass", run: runOf(["pass", "pass"]), step: { kind: "release-slot" } },
  {
    when: "a metric failed",
    run: runOf(["fail"]),
    step: { kind: "wait", for: "readiness", reason: expect.stringContaining("its analysis failed: ") },
    unhealthy: [{ name: "w1", reason: "Unhealthy" }],
  },
  {
    when: "a metric failed before its last reboot",
    run: runOf(["fail"], after(-10)),
    step: { kind: "wait", for: "soak", reason: "its metrics are measured" },
  },
])("if $when: $step.kind", ({ run, step, unhealthy = [] }) => {
  const state = stateOf(run);
  const [plan] = planSteps(state);
  expect(plan?.step).toMatchObject(step);
  expect(state.unhealthy).toEqual(unhealthy);
  expect(state.isHalted).toBe(unhealthy.length > 0);
});

test("nodes that do not soak are not measured", () => {
  const nodes = [member("w1", updated), member("w2", { ...booted, isObserved: false })];
  const state = poolState(nodes, { pool: pool({ analysis }), now: after(2) });
  expect(nodes.map((one) => findMeasuring(one, state.pool, after(2)))).toEqual([null, null]);
});

const noAnswer: readonly Verdict[] = ["error", "error", "error", "error", "error"];
test.for([
  { when: "it was never measured", run: null, minutes: 5, seconds: 10, problem: null },
  { when: "there is no value yet", run: runOf(noAnswer), minutes: 5, seconds: 10, problem: null },
  {
    when: "there is no value for long",
    run: runOf(noAnswer),
    minutes: 17,
    seconds: 300,
    problem: "its metrics have no value: error",
  },
  {
    when: "there is no value for long, in a run that has begun again",
    run: runOf(["error"], after(89)),
    minutes: 90,
    seconds: 300,
    problem: "its metrics have no value: error",
  },
  { when: "it has a value again", run: runOf(["error", "pass"], after(89)), minutes: 90, seconds: 30, problem: null },
  {
    when: "its next run begins hours later, as it has taken hours",
    run: runOf(["pass", ...noAnswer], after(300)),
    minutes: 310,
    seconds: 600,
    problem: /it begins again at 2026-11-20T22:09:00Z/,
  },
])("if $when, a node is measured again after $seconds s", ({ run, minutes, seconds, problem }) => {
  const state = { ...stateOf(run), now: after(minutes) };
  expect(computeWaitSeconds(planSteps(state), state)).toBe(seconds);
  const { conditions } = computePoolStatus(state, null);
  expect(conditions[1]?.reason).toBe(problem === null ? "Healthy" : "NodeDegraded");
  expect(conditions[1]?.message).toMatch(problem ?? /^$/);
  expect(state).toMatchObject({ unhealthy: [], isHalted: false });
  expect(assessWork(state)).toEqual({ kind: "working" });
  expect(planSteps(state)).toMatchObject([{ step: { kind: "wait", for: "soak" } }]);
});

test("the queries of a node have its name and that of its pool", () => {
  const [bound] = analysis === null ? [] : analysisOf(member("w1"), pool(), analysis).metrics;
  expect(bound?.query).toBe('errors{node="w1",pool="workers"}');
  const quoted = analysis && analysisOf(member('w"1'), pool(), analysis);
  expect(quoted).toBe(analysis);
});

test("while alerts fire, no node acquires a slot, and the execution continues", () => {
  const state = poolState([member("w1", staged)], { alerts: "the end of alerts" });
  expect(state).toMatchObject({ alerts: "the end of alerts", noSlotReason: "it waits for the end of alerts" });
  expect(assessWork(state)).toEqual({ kind: "working" });
  expect(computePoolStatus(state, null).conditions[0]?.message).toContain("waits for the end of alerts");
  const paused = poolState([member("w1", staged)], { alerts: "the end of alerts", pool: pool({ paused: true }) });
  expect(assessWork(paused)).toMatchObject({ kind: "held" });
});

test.for([
  { spec: { analysis: {} }, problem: "analysis: metrics" },
  {
    spec: { analysis: { metrics: [{ ...metric, query: "up{pod={{args.canary}}}" }] } },
    problem: 'analysis: metrics[0].query: "args.canary" is unknown; use node, pool',
  },
  {
    spec: { analysis: { metrics: [{ name: "smoke", job: { name: "smoke" } }] } },
    problem: "analysis: metrics[0].job: has no namespace",
  },
  { spec: { blockOnAlerts: {} }, problem: "blockOnAlerts: matchers" },
  { spec: { blockOnAlerts: { matchers: [] } }, problem: "blockOnAlerts: matchers" },
  { spec: { blockOnAlerts: { matchers: ['a="b"'], prometheus: "here" } }, problem: "blockOnAlerts: prometheus" },
])("$spec is a problem of the pool", ({ spec, problem }) => {
  const parsed = parseSpec({ ...rawSpec, ...spec });
  expect(parsed.problems[0]).toContain(problem);
  expect(parsed.spec).toMatchObject({ analysis: null, blockOnAlerts: null });
});

test("alerts of the default Prometheus are counted", () => {
  const { blockOnAlerts } = parseSpec({ ...rawSpec, blockOnAlerts: { matchers: ['a="b"'] } }).spec;
  expect(blockOnAlerts).toEqual({ address: null, matchers: ['a="b"'] });
});

test("alerts are counted by all matchers, at the address of the pool or the default", () => {
  const { blockOnAlerts } = parseSpec({
    ...rawSpec,
    blockOnAlerts: {
      prometheus: "service://monitoring/prometheus:9090",
      matchers: ['severity="critical"', 'team!~"a|b"'],
    },
  }).spec;
  expect(blockOnAlerts && alertsQuery(blockOnAlerts)).toEqual({
    source: { kind: "prometheus", address: "service://monitoring/prometheus:9090" },
    query: 'count(ALERTS{alertstate="firing",severity="critical",team!~"a|b"}) or vector(0)',
  });
});
