import { expect, test } from "vitest";
import { parseSpec } from "../../../functions/domain/node-pool/pool/spec.ts";
import { reconcileNodes } from "../../../functions/handlers/reconcile-nodes.ts";
import { readAlerts } from "../../../functions/workflows/node-pool-rollout/measure-nodes.ts";
import { Unreachable } from "../../../functions/ports/errors.ts";
import { digestA, member, pool, poolState, slot, staged, updated } from "../../domain/node-pool/pools.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { noon } from "../../support/workloads.ts";
import { poolStepInput } from "./node-pool-fixtures.ts";

const input = { ...poolStepInput("roll-1"), executionStartedAt: noon.toISOString(), rounds: 0 };
const { analysis, blockOnAlerts } = parseSpec({
  analysis: {
    interval: "60s",
    count: 2,
    metrics: [{ name: "errors", query: 'errors{node="{{args.node}}"}', failureCondition: "result > 0" }],
  },
  blockOnAlerts: { matchers: ['severity="critical"'] },
}).spec;
const booted = { ...updated, slot: { ...slot, approvedAt: noon, bootedAt: noon } };

/** Two nodes that soak; `errors` of w2 are what the test says. */
function soakingPool(valueOf: (query: string) => number | Error) {
  const queries: string[] = [];
  const measured = (query: string) => {
    queries.push(query);
    const value = valueOf(query);
    return value instanceof Error ? value : ({ kind: "value", value } as const);
  };
  const workers = pool({ analysis, maxUnavailable: { unit: "nodes", amount: 2 } }, { execution: "roll-1" });
  const nodes = [member("w1", booted), member("w2", booted)];
  return { queries, ports: fakePorts({ measured, nodePools: { pools: [workers], nodes } }) };
}

test("each node is measured by its name, and only those that pass release their slots", async () => {
  const { ports, queries } = soakingPool((query) => Number(query.includes('"w2"')));
  expect(await reconcileNodes(ports, input)).toMatchObject({ kind: "working", waitSeconds: 15 });
  expect(queries).toEqual(['errors{node="w1"}', 'errors{node="w2"}']);
  ports.pass(60);
  expect(await reconcileNodes(ports, input)).toMatchObject({ kind: "working" });
  expect(queries).toEqual(['errors{node="w1"}', 'errors{node="w2"}', 'errors{node="w1"}']);
  expect(ports.nodePools.node("w1").bootcNode).toMatchObject({ slot: null, analysis: null });
  expect(ports.nodePools.node("w2").bootcNode?.slot).not.toBeNull();
  ports.pass(60);
  // With one slot left, it halts the rollout.
  const { spec, ...workers } = ports.nodePools.pool("workers");
  ports.nodePools.putPool({ ...workers, spec: { ...spec, maxUnavailable: { unit: "nodes", amount: 1 } } });
  expect(await reconcileNodes(ports, input)).toMatchObject({ reason: expect.stringContaining("its analysis failed") });
  expect(ports.nodePools.pool("workers").status.conditions).toContainEqual(
    expect.objectContaining({ message: "Unhealthy nodes in reboot slots: w2 (Unhealthy)" }),
  );
});

test("a Prometheus that does not answer fails no node, lets none pass, is reported, and costs at most 60 transitions an hour", async () => {
  const { ports } = soakingPool(() => new Unreachable("no answer"));
  const start = ports.now().getTime();
  const rounds = [0, 0, 0, 0];
  for (;;) {
    const hour = Math.floor((ports.now().getTime() - start) / 3_600_000);
    if (hour >= rounds.length) break;
    rounds[hour] = Number(rounds[hour]) + 1;
    const { kind, waitSeconds } = await reconcileNodes(ports, input);
    // An execution that has lasted three hours continues as new.
    expect(kind).toBe(hour < 3 ? "working" : "continue");
    ports.pass(waitSeconds);
  }
  expect(ports.nodePools.writes.map(({ step }) => step.kind)).not.toContain("release-slot");
  const message =
    "Degraded nodes: w1 (its metrics have no value: no answer), w2 (its metrics have no value: no answer)";
  expect(ports.nodePools.pool("workers").status.conditions).toContainEqual(
    expect.objectContaining({ reason: "NodeDegraded", message }),
  );
  const transitionsPerRound = 5;
  expect(Math.max(...rounds.slice(1)) * transitionsPerRound).toBeLessThanOrEqual(60);
});

test("a slow provider keeps no round from ending, and each node is measured in its turn", async () => {
  const { ports, queries } = soakingPool(() => {
    ports.pass(20);
    return 0;
  });
  const names = Array.from({ length: 9 }, (_, index) => `w${index + 1}`);
  for (const name of names) ports.nodePools.putNode(member(name, booted));
  await reconcileNodes(ports, input);
  expect(queries).toHaveLength(4);
  await reconcileNodes(ports, input);
  await reconcileNodes(ports, input);
  expect([...new Set(queries)].toSorted()).toEqual(names.map((name) => `errors{node="${name}"}`));
  const { length } = queries;
  await reconcileNodes(ports, input, { signal: AbortSignal.abort(), warn: () => undefined });
  expect(queries).toHaveLength(length);
});

test.for([
  { when: "two alerts fire", answer: 2, reason: 'the end of alerts with severity="critical": 2 firing' },
  { when: "Prometheus does not answer", answer: new Unreachable("no answer"), reason: "which are unknown: no answer" },
])("if $when, no node acquires a slot until none does", async ({ answer, reason }) => {
  let current: number | Error = answer;
  const workers = pool({ blockOnAlerts }, { execution: "roll-1" });
  const measured = () => (current instanceof Error ? current : ({ kind: "value", value: current } as const));
  const ports = fakePorts({ measured, nodePools: { pools: [workers], nodes: [member("w1", staged)] } });
  expect(await reconcileNodes(ports, input)).toMatchObject({ kind: "working", reason: "1 wait for a slot" });
  expect(ports.nodePools.writes).toEqual([]);
  const [upToDate] = ports.nodePools.pool("workers").status.conditions;
  expect(upToDate?.message).toContain(`waits for `);
  expect(upToDate?.message).toContain(reason);
  // For days: a round has at most six transitions, and waits ten minutes.
  ports.pass(3600);
  expect((await reconcileNodes(ports, input)).waitSeconds).toBe(600);
  current = 0;
  await reconcileNodes(ports, input);
  expect(ports.nodePools.writes.map(({ step }) => step.kind)).toContain("acquire-slot");
});

test("no alert is queried while no node could acquire a slot", async () => {
  const queries: string[] = [];
  const measured = (query: string) => {
    queries.push(query);
    return { kind: "value", value: 0 } as const;
  };
  const workers = pool({ blockOnAlerts }, { execution: "roll-1" });
  const ports = fakePorts({ measured, nodePools: { pools: [workers], nodes: [member("w1", updated)] } });
  await reconcileNodes(ports, input);
  expect(queries).toEqual([]);
});

test.for([
  { failedDigest: null, alerts: 'the alerts with severity="critical", which are unknown: no answer' },
  { failedDigest: digestA, alerts: null },
])("alerts keep no node from going back from $failedDigest", async ({ failedDigest, alerts }) => {
  const state = { ...poolState([member("w1", staged)], { pool: pool({ blockOnAlerts }) }), failedDigest };
  expect(await readAlerts(fakePorts({ measured: () => new Unreachable("no answer") }), state)).toBe(alerts);
});
