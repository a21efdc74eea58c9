import { describe, expect, test } from "vitest";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { Throttled, Unreachable } from "../../../../functions/ports/errors.ts";
import { createPoolFixture, newPool } from "../../../handlers/node-pool/node-pool-fixtures.ts";
import type { FakePorts } from "../../../support/fake-ports.ts";

const throttled = new Throttled("Rate exceeded", null);
const lost = { ...newPool(), execution: "lost-1" };

/** Polls the node pools while these calls of Step Functions fail. Returns the report, and the metrics by name. */
async function pollWhile(ports: FakePorts, failing: Partial<Record<"listRunning" | "state" | "start", Error>>) {
  const fail = Object.entries(failing).map(([call, error]) => [call, () => Promise.reject(error)] as const);
  const poolExecutions = { ...ports.poolExecutions, ...Object.fromEntries(fail) };
  const warnings: object[] = [];
  const warn = (message: string, about: object) => void warnings.push({ message, ...about });
  const { pools } = await pollCluster({ ...ports, poolExecutions }, { warn });
  const recorded = ports.metrics.pending.filter(
    ({ name }) => name.endsWith("_errors_total") && name !== "pawl_errors_total",
  );
  const errorsOfPoll = recorded.reduce((sum, { value }) => sum + value, 0);
  return { pools, errorsOfPoll, warnings };
}

test("lists the executions of rollouts once for all pools, and asks about none that runs", async () => {
  const calls: string[] = [];
  const other = { ...newPool(), name: "other", uid: "pool-2", execution: "e-2" };
  const atMoment = (moment: string) => void (/^before (listRunning|state)$/.test(moment) && calls.push(moment));
  const { ports } = createPoolFixture({ pool: { ...newPool(), execution: "e-1" }, otherPools: [other], atMoment });
  for (const name of ["e-1", "e-2"]) await ports.poolExecutions.start(name, {} as never);
  expect((await pollCluster(ports)).pools).toMatchObject({ inFlight: 2, adopted: 0 });
  expect(calls).toEqual(["before listRunning"]);
});

test("asks nothing about executions if no pool has one", async () => {
  const calls: string[] = [];
  const { ports } = createPoolFixture({ atMoment: (moment) => void calls.push(moment) });
  await pollCluster(ports);
  expect(calls).not.toContain("before listRunning");
});

describe("what AWS does not say or start is no error of the poll", () => {
  test.for([
    { when: "the list is throttled", failing: { listRunning: throttled }, expected: { inFlight: 1 } },
    {
      when: "the role may not list",
      failing: { listRunning: Object.assign(new Error("no"), { name: "AccessDeniedException" }) },
      expected: { inFlight: 1 },
    },
    { when: "a question is throttled", failing: { state: throttled }, expected: { inFlight: 1 } },
    { when: "the start is throttled", failing: { start: throttled }, expected: { held: 1 } },
  ])("$when: the next poll adopts the pool", async ({ failing, expected }) => {
    const { ports } = createPoolFixture({ pool: lost });
    const { pools, errorsOfPoll, warnings } = await pollWhile(ports, failing);
    expect(pools).toMatchObject({ adopted: 0, failed: [], ...expected });
    expect(errorsOfPoll).toBe(0);
    const [{ name: error } = throttled] = Object.values(failing);
    expect(ports.metrics.pending).toContainEqual({ name: "pawl_errors_total", value: 1, labels: { error } });
    expect(warnings).toMatchObject([{ message: "Step Functions is asked again by the next poll", failure: error }]);
    expect((await pollCluster(ports)).pools).toMatchObject({ adopted: 1, failed: [] });
  });

  test("but a start without an answer is one", async () => {
    const { ports } = createPoolFixture({ pool: lost });
    const { pools, errorsOfPoll } = await pollWhile(ports, { start: new Unreachable("503") });
    expect(pools).toMatchObject({ adopted: 0, failed: [{ error: "Unreachable" }] });
    expect(errorsOfPoll).toBe(1);
  });
});
