import { describe, expect, test } from "vitest";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { pollToCompletion } from "../../../functions/workflows/poll/fan-out/poll-to-completion.ts";
import { Throttled, Unreachable } from "../../../functions/ports/errors.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import { idleWorkload, namedUpdatingWorkload, tags } from "./fixtures.ts";

const throttled = new Throttled("Rate exceeded", null);

/** Returns ports with two updates in flight, whose execution has ended, and a workload with a newer version. */
async function createFixture() {
  const workloads = ["a", "b"].map((name) => namedUpdatingWorkload(name));
  const ports = fakePorts({ workloads: [...workloads, idleWorkload("web")], tags: { "shop/web": tags } });
  await ports.executions.start("e-1", {} as never);
  ports.executions.finish("e-1");
  return ports;
}

/** Polls while these calls of Step Functions fail. Returns the report, the metrics by name, and the warnings. */
async function pollWhile(
  ports: FakePorts,
  failing: Partial<Record<"listRunning" | "state" | "failure" | "start", Error>>,
  poll: typeof pollCluster = pollCluster,
) {
  const fail = Object.entries(failing).map(([call, error]) => [call, () => Promise.reject(error)] as const);
  const executions = { ...ports.executions, ...Object.fromEntries(fail) };
  const warnings: object[] = [];
  const warn = (message: string, about: object) => void warnings.push({ message, ...about });
  const report = await poll({ ...ports, executions }, { warn });
  const valueOf = (name: string) =>
    ports.metrics.pending.filter((one) => one.name === name).reduce((sum, { value }) => sum + value, 0);
  return { report, errorsOfPoll: valueOf("pawl_poll_errors_total"), errors: valueOf("pawl_errors_total"), warnings };
}

describe("a list that AWS does not return", () => {
  test.for([
    { when: "AWS throttles it", error: throttled },
    { when: "Step Functions does not answer", error: new Unreachable("503") },
    {
      when: "the role of an older version may not read it",
      error: Object.assign(new Error("not authorized"), { name: "AccessDeniedException" }),
    },
    { when: "its token has expired", error: Object.assign(new Error("expired"), { name: "InvalidToken" }) },
  ])("adopts nothing in this poll if $when, and is no error", async ({ error }) => {
    const ports = await createFixture();
    const { report, warnings, errors, errorsOfPoll } = await pollWhile(ports, { listRunning: error });
    expect(report).toMatchObject({ inFlight: 2, adopted: 0, started: 1, failures: 0 });
    expect([errorsOfPoll, errors]).toEqual([0, 1]);
    expect(ports.metrics.pending).toContainEqual({
      name: "pawl_errors_total",
      value: 1,
      labels: { error: error.name },
    });
    expect(warnings).toEqual([
      { message: "Step Functions is asked again by the next poll", failure: error.name, reason: error.message },
    ]);
    expect(await pollCluster(ports)).toMatchObject({ adopted: 2 });
  });
});

describe("what AWS throttles is no error of the poll, and the next poll asks again", () => {
  test.for([
    { call: "state", inFlight: 2, started: 1, errors: 2 },
    { call: "failure", inFlight: 2, started: 1, errors: 2 },
    { call: "start", inFlight: 2, started: 0, errors: 3 },
  ] as const)("$call", async ({ call, errors: expected, ...counts }) => {
    const ports = await createFixture();
    const { report, errors, errorsOfPoll, warnings } = await pollWhile(ports, { [call]: throttled });
    expect(report).toMatchObject({ ...counts, adopted: 0, failures: 0, evaluated: 3 });
    expect([errorsOfPoll, errors]).toEqual([0, expected]);
    expect(warnings).toHaveLength(1);
    expect(await pollCluster(ports)).toMatchObject({ adopted: 2, started: 1, failures: 0 });
  });

  test("in batches", async () => {
    const ports = await createFixture();
    const inBatches: typeof pollCluster = (all, options) => pollToCompletion(all, { ...options, maxWorkloads: 1 });
    const { report, errors, errorsOfPoll } = await pollWhile(ports, { start: throttled }, inBatches);
    expect(report).toMatchObject({ evaluated: 3, inFlight: 2, started: 0, adopted: 0, failures: 0 });
    expect([errorsOfPoll, errors]).toEqual([0, 3]);
  });

  test("the removal of a canary that was left", async () => {
    const left = idleWorkload("web", undefined, { isCanaryLeft: true });
    const ports = fakePorts({ workloads: [left], tags: { "shop/web": tags } });
    const { report, errorsOfPoll } = await pollWhile(ports, { start: throttled });
    expect(report).toMatchObject({ held: 1, started: 0, failures: 0 });
    expect(errorsOfPoll).toBe(0);
    expect(await pollCluster(ports)).toMatchObject({ started: 1 });
  });
});

test.for(["state", "failure", "start"] as const)("%s that does not answer is an error", async (call) => {
  const ports = await createFixture();
  const { report } = await pollWhile(ports, { [call]: new Unreachable("503") });
  expect(report).toMatchObject({ adopted: 0, failures: call === "start" ? 3 : 2 });
});
