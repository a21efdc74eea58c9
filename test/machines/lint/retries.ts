import { type LintedMachine, recordsIn, statesOf, stringsIn } from "./definition.ts";

type Retrier = Readonly<Record<string, unknown>>;

const lambdaServiceErrors = [
  "Lambda.ServiceException",
  "Lambda.AWSLambdaException",
  "Lambda.SdkClientException",
  "Lambda.ClientExecutionTimeoutException",
];

/** What every Task has to retry; `Unreachable` with the delays, before jitter, that design.md gives it. */
const retried = [...lambdaServiceErrors, "Lambda.TooManyRequestsException", "Throttled", "Unreachable", "Conflict"];
const unreachableDelays = [1, 2, 4, 8, 16, 30, 30];
const hourSeconds = 3600;

/** Every Task carries the same Retry list, and that list holds what it has to. */
export function retries(machine: LintedMachine): readonly string[] {
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
  const of = (error: string) => list.find((retrier) => stringsIn(retrier["ErrorEquals"]).includes(error));
  return [
    ...retried.filter((error) => of(error) === undefined).map((error) => `${error} is not retried`),
    ...list
      .filter((retrier) => retrier["JitterStrategy"] !== "FULL")
      .map((retrier) => `${stringsIn(retrier["ErrorEquals"]).join(", ")} without full jitter`),
    ...problemsOfUnreachable(of("Unreachable")),
  ];
}

function problemsOfUnreachable(retrier: Retrier | undefined): readonly string[] {
  if (retrier === undefined) return [];
  const delays = delaysOf(retrier);
  const first = delays.slice(0, unreachableDelays.length);
  // Full jitter draws each delay from 0 to what is written: on the average it takes half of their sum.
  const average = delays.reduce((sum, delay) => sum + delay / 2, 0);
  return [
    ...(first.join() === unreachableDelays.join() ? [] : [`Unreachable is retried after ${first.join(", ")} s`]),
    ...(Math.abs(average - hourSeconds) < hourSeconds / 10 ? [] : [`Unreachable is retried for ${average} s`]),
  ];
}

function delaysOf(retrier: Retrier): readonly number[] {
  const { IntervalSeconds: first, BackoffRate: rate, MaxAttempts: attempts } = retrier;
  const longest = Number(retrier["MaxDelaySeconds"] ?? Infinity);
  return Array.from({ length: Number(attempts) }, (_, attempt) =>
    Math.min(Number(first) * Number(rate) ** attempt, longest),
  );
}
