import { SFNClient } from "@aws-sdk/client-sfn";
import { expect, onTestFinished, test } from "vitest";
import { createAwsRateLimiter } from "../../../functions/adapters/aws/rate-limiter.ts";
import { createStepFunctionsExecutions } from "../../../functions/adapters/aws/step-functions.ts";
import type { UpdateInput } from "../../../functions/contract/workload-update.ts";
import { shareRates } from "../../../functions/domain/budget/aws-rates.ts";
import { type LimitSettings, noLimitSettings } from "../../../functions/domain/budget/limits.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { fakeAws, refusalOf } from "../../support/aws/aws-services.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { inFlight } from "../../support/workloads.ts";
import { idleWorkload, namedUpdatingWorkload } from "../../workflows/poll/fixtures.ts";

/** Of an account in most regions: tokens, and how many of them return in a second. The clusters of the account share them. */
const buckets = { StartExecution: [800, 150], DescribeExecution: [250, 10], ListExecutions: [1000, 2] } as const;

type Operation = keyof typeof buckets;

const unlimited: LimitSettings = { ...noLimitSettings, maxConcurrent: 100_000 };

/** Serves Step Functions with its token buckets, of which others have used some, to two clusters. The time is that of both. */
async function startAccount(usedByOthers: number, workloadsOf: (cluster: string) => readonly Workload[]) {
  const fakes = ["one", "two"].map((cluster) => ({ cluster, ports: fakePorts({ workloads: workloadsOf(cluster) }) }));
  const now = () => (fakes[0]?.ports.now().getTime() ?? 0) / 1000;
  const pass = (seconds: number) => {
    for (const { ports } of fakes) ports.pass(seconds);
  };
  const clusters = fakes.map((fake) => ({
    ...fake,
    limiter: createAwsRateLimiter(shareRates({ describesPerSecond: 5, startsPerSecond: 75 }, 2), {
      clock: () => now() * 1000,
      sleep: async (milliseconds) => pass(milliseconds / 1000),
    }),
  }));
  const tokens = new Map<string, { left: number; at: number }>();
  const started: string[] = [];
  let throttled = 0;
  function take(operation: Operation): boolean {
    const [capacity, rate] = buckets[operation];
    const { left, at } = tokens.get(operation) ?? { left: capacity - usedByOthers, at: now() };
    const available = Math.min(capacity, left + (now() - at) * rate);
    tokens.set(operation, { left: available >= 1 ? available - 1 : available, at: now() });
    return available >= 1;
  }
  const aws = await fakeAws(({ operation, body }) => {
    if (!take(operation as Operation)) {
      throttled += 1;
      return refusalOf("ThrottlingException");
    }
    if (operation === "ListExecutions") return { body: { executions: [] } };
    if (operation === "DescribeExecution") return refusalOf("ExecutionDoesNotExist");
    started.push((JSON.parse(body) as { readonly name: string }).name);
    return { body: { executionArn: "arn", startDate: 1 } };
  });
  onTestFinished(() => aws[Symbol.asyncDispose]());
  const client = new SFNClient(aws.options);
  onTestFinished(() => client.destroy());

  /** Polls both clusters at the same time, and five minutes later again. What was started is done by then. */
  async function poll({ limits = unlimited, isLimited = false }: { limits?: LimitSettings; isLimited?: boolean } = {}) {
    const before = started.length;
    const reports = await Promise.all(
      clusters.map(async ({ cluster, ports, limiter }) => {
        const stateMachineArn = `arn:aws:states:eu-west-1:123456789012:stateMachine:${cluster}`;
        const real = createStepFunctionsExecutions<UpdateInput>({
          client,
          stateMachineArn,
          ...(isLimited ? { limiter } : {}),
        });
        const start: typeof real.start = async (name, input) => {
          const result = await real.start(name, input);
          ports.cluster.remove(input.workload.uid);
          return result;
        };
        const registry = { ...ports.registry, listTags: async () => ["1.0.0", "1.1.0"] };
        return pollCluster({ ...ports, registry, limits, executions: { ...real, start } });
      }),
    );
    pass(300);
    return { started: started.length - before, failures: reports.reduce((sum, { failures }) => sum + failures, 0) };
  }
  const errorsOfPolls = () =>
    clusters
      .flatMap(({ ports }) => ports.metrics.pending)
      .filter(({ name }) => name === "pawl_poll_errors_total")
      .reduce((sum, { value }) => sum + value, 0);
  return { poll, started, throttled: () => throttled, errorsOfPolls };
}

function range(cluster: string, count: number, create: (name: string) => Workload): readonly Workload[] {
  return Array.from({ length: count }, (_, index) => create(`${cluster}-${index}`));
}

test("a storm of starts in two clusters of an account: what AWS throttles is started by the next poll, nothing twice", async () => {
  const { poll, started, throttled, errorsOfPolls } = await startAccount(700, (cluster) =>
    range(cluster, 75, (name) => idleWorkload(name)),
  );
  expect(await poll()).toEqual({ started: 100, failures: 0 });
  expect(throttled()).toBe(50);
  expect(await poll()).toEqual({ started: 50, failures: 0 });
  expect(new Set(started).size).toBe(150);
  expect(await poll()).toEqual({ started: 0, failures: 0 });
  expect([throttled(), errorsOfPolls()]).toEqual([50, 0]);
});

test("the default limits of both clusters keep a storm of starts within the tokens that are left", async () => {
  const { poll, throttled } = await startAccount(700, (cluster) => range(cluster, 75, (name) => idleWorkload(name)));
  expect(await poll({ limits: noLimitSettings })).toEqual({ started: 16, failures: 0 });
  expect(throttled()).toBe(0);
});

test("a storm of questions about lost executions: what is not answered stays in flight, and is adopted by the next poll", async () => {
  const { poll, started, throttled, errorsOfPolls } = await startAccount(200, (cluster) =>
    range(cluster, 40, (name) => namedUpdatingWorkload(name, { inFlight: { ...inFlight, execution: `lost-${name}` } })),
  );
  expect(await poll()).toEqual({ started: 50, failures: 0 });
  expect(throttled()).toBe(30);
  expect(await poll()).toEqual({ started: 30, failures: 0 });
  expect(new Set(started).size).toBe(80);
  expect([throttled(), errorsOfPolls()]).toEqual([30, 0]);
});

test("the budgets of both clusters leave AWS nothing to throttle, and delay what exceeds them", async () => {
  const { poll, started, throttled, errorsOfPolls } = await startAccount(125, (cluster) =>
    range(cluster, 100, (name) =>
      namedUpdatingWorkload(name, { inFlight: { ...inFlight, execution: `lost-${name}` } }),
    ),
  );
  expect(await poll({ isLimited: true })).toEqual({ started: 200, failures: 0 });
  expect(new Set(started).size).toBe(200);
  expect([throttled(), errorsOfPolls()]).toEqual([0, 0]);
});
