import { type LintedMachine, recordsIn, statesOf, stringsIn } from "./definition.ts";

type Retrier = Readonly<Record<string, unknown>>;

const lambdaServiceErrors = [
  "Lambda.ServiceException",
  "Lambda.AWSLambdaException",
  "Lambda.SdkClientException",
  "Lambda.ClientExecutionTimeoutException",
];

/** The errors that every Task retries; `Unreachable` with these delays, before jitter. */
const retried = [...lambdaServiceErrors, "Lambda.TooManyRequestsException", "Throttled", "Unreachable", "Conflict"];
const unreachableDelays = [1, 2, 4, 8, 16, 30, 30];
const hourSeconds = 3600;

/** Checks that every Task has the same Retry list, with every required error. */
export function commonRetries(machine: LintedMachine): readonly string[] {
  const lists = statesOf(machine, "Task").map(([name, state]) => ({ name, list: recordsIn(state["Retry"]) }));
  const [first, ...others] = lists;
  if (first === undefined) return [];
  return [
    ...problemsOfList(first.list).map((problem) => `${first.name}: ${problem}`),
    ...others
      .filter(({ list }) => JSON.stringify(list) !== JSON.stringify(first.list))
      .map(({ name }) => `${name}: its Retry list is not that of ${first.name}`),
  ];
}

function problemsOfList(list: readonly Retrier[]): readonly string[] {
  const findRetrier = (error: string) => list.find((retrier) => stringsIn(retrier["ErrorEquals"]).includes(error));
  return [
    ...retried.filter((error) => findRetrier(error) === undefined).map((error) => `${error} is not retried`),
    ...list
      .filter((retrier) => retrier["JitterStrategy"] !== "FULL")
      .map((retrier) => `${stringsIn(retrier["ErrorEquals"]).join(", ")} without full jitter`),
    ...problemsOfUnreachable(findRetrier("Unreachable")),
  ];
}

function problemsOfUnreachable(retrier: Retrier | undefined): readonly string[] {
  if (retrier === undefined) return [];
  const delays = delaysOf(retrier);
  const first = delays.slice(0, unreachableDelays.length);
  // Full jitter draws each delay uniformly from 0 to its maximum: the average total is half of the sum.
  const average = delays.reduce((sum, delay) => sum + delay / 2, 0);
  return [
    ...(first.join() === unreachableDelays.join() ? [] : [`Unreachable is retried after ${first.join(", ")} s`]),
    ...(Math.abs(average - hourSeconds) < hourSeconds / 10 ? [] : [`Unreachable is retried for ${average} s`]),
  ];
}

function delaysOf(retrier: Retrier): readonly number[] {
  const { IntervalSeconds: first, BackoffRate: rate, MaxAttempts: attempts } = retrier;
  const maxDelay = Number(retrier["MaxDelaySeconds"] ?? Infinity);
  return Array.from({ length: Number(attempts) }, (_, attempt) =>
    Math.min(Number(first) * Number(rate) ** attempt, maxDelay),
  );
}
