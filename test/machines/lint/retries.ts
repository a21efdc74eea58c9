import { type LintedMachine, recordsIn, statesOf, stringsIn } from "./definition.ts";

type Retrier = Readonly<Record<string, unknown>>;

/**
 * The errors of the platform that runs a function: of the Lambda service, of a function whose network interfaces or key are not
 * available, of its process, and of its access to AWS. https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
const platformErrors = [
  "Lambda.ServiceException",
  "Lambda.AWSLambdaException",
  "Lambda.SdkClientException",
  "Lambda.ClientExecutionTimeoutException",
  "Lambda.ResourceNotReadyException",
  "Lambda.ENILimitReachedException",
  "Lambda.EC2ThrottledException",
  "Lambda.EC2UnexpectedException",
  "Lambda.EC2AccessDeniedException",
  "Lambda.SubnetIPAddressLimitReachedException",
  "Lambda.KMSAccessDeniedException",
  "Lambda.KMSDisabledException",
  "Lambda.KMSInvalidStateException",
  "Lambda.KMSNotFoundException",
  "Lambda.ResourceConflictException",
  "Lambda.Unknown",
  "Runtime.ExitError",
  "Runtime.OutOfMemory",
  "Sandbox.Timedout",
  "States.Timeout",
  "SecretUnreadable",
  "ClusterNotDescribed",
  "CredentialsProviderError",
];

/** The errors that every Task retries. */
const retried = [
  ...platformErrors,
  "Lambda.TooManyRequestsException",
  "Throttled",
  "Unreachable",
  "Forbidden",
  "Conflict",
];
/** The delays after `Unreachable`, before jitter. */
const unreachableDelays = [1, 2, 4, 8, 16, 30, 30];
const hourSeconds = 3600;
const platformSeconds = 300;

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
    ...["Throttled", "Forbidden", "Conflict"].flatMap((error) =>
      problemsOfDuration(error, findRetrier(error), hourSeconds),
    ),
    ...platformErrors.flatMap((error) => problemsOfDuration(error, findRetrier(error), platformSeconds)),
  ];
}

function problemsOfUnreachable(retrier: Retrier | undefined): readonly string[] {
  if (retrier === undefined) return [];
  const delays = delaysOf(retrier);
  const first = delays.slice(0, unreachableDelays.length);
  return [
    ...(first.join() === unreachableDelays.join() ? [] : [`Unreachable is retried after ${first.join(", ")} s`]),
    ...problemsOfDuration("Unreachable", retrier, hourSeconds),
  ];
}

/** Full jitter draws each delay uniformly from 0 to its maximum: the average total is half of the sum. */
function problemsOfDuration(error: string, retrier: Retrier | undefined, seconds: number): readonly string[] {
  if (retrier === undefined) return [];
  const average = delaysOf(retrier).reduce((sum, delay) => sum + delay / 2, 0);
  return Math.abs(average - seconds) < seconds / 10 ? [] : [`${error} is retried for ${average} s`];
}

/** Returns the delays before each attempt, before jitter. */
export function delaysOf(retrier: Retrier): readonly number[] {
  const { IntervalSeconds: first, BackoffRate: rate, MaxAttempts: attempts } = retrier;
  const maxDelay = Number(retrier["MaxDelaySeconds"] ?? Infinity);
  return Array.from({ length: Number(attempts) }, (_, attempt) =>
    Math.min(Number(first) * Number(rate) ** attempt, maxDelay),
  );
}
