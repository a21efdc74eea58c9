import { longestBatchSeconds } from "../../../functions/domain/execution/poll-batches.ts";
import { type LintedMachine, type LintedState, recordsIn, statesOf, stringsIn, textOf } from "./definition.ts";
import { delaysOf } from "./retries.ts";

/** What this machine may use in addition to the others: it runs on AWS only. */
const stateFields: Readonly<Record<string, readonly string[]>> = {
  Map: [
    "Label",
    "ItemsPath",
    "ItemSelector",
    "MaxConcurrency",
    "ToleratedFailurePercentage",
    "ItemProcessor",
    "ResultPath",
    "Catch",
    "Next",
  ],
  Task: [
    "Resource",
    "TimeoutSeconds",
    "TimeoutSecondsPath",
    "Parameters",
    "OutputPath",
    "Retry",
    "Catch",
    "Next",
    "End",
  ],
  Choice: ["Choices", "Default"],
  Pass: ["Parameters", "Result", "ResultPath", "Next", "End"],
  Succeed: [],
  Fail: ["Error", "Cause"],
};

/** https://docs.aws.amazon.com/step-functions/latest/dg/choosing-workflow-type.html */
const expressSeconds = 300;

/** Half of the children that a cluster's API server, and a small quota of Lambda, would have to endure otherwise. */
const maxConcurrency = 32;

/** A batch that was killed is split, not repeated: only what ended before its function ran is tried again. */
const retriable = new Set([
  "Lambda.TooManyRequestsException",
  "Lambda.ServiceException",
  "Lambda.AWSLambdaException",
  "Lambda.SdkClientException",
  "Lambda.EC2ThrottledException",
  "Lambda.ENINotReadyException",
  "Lambda.ResourceNotReadyException",
]);

export function fanOutFeatures(machine: LintedMachine): readonly string[] {
  const all = [
    ...Object.entries(machine.States),
    ...childrenOf(machine).flatMap(({ States }) => Object.entries(States)),
  ];
  return all.flatMap(([name, { Type: type, Comment: _comment, ...fields }]) => {
    const known = stateFields[type];
    if (known === undefined) return [`${name}: ${type} is not allowed`];
    return Object.keys(fields)
      .filter((field) => !known.includes(field))
      .map((field) => `${name}: ${field} is not allowed`);
  });
}

/** Checks that the children are bounded, and that the failure of one does not hide the results of the others. */
export function boundedMaps(machine: LintedMachine): readonly string[] {
  return statesOf(machine, "Map").flatMap(([name, state]) => {
    const { MaxConcurrency: concurrency, ToleratedFailurePercentage: tolerated } = state;
    const { ProcessorConfig: processor } = state["ItemProcessor"] as { readonly ProcessorConfig?: unknown };
    const isExpress = JSON.stringify(processor) === JSON.stringify({ Mode: "DISTRIBUTED", ExecutionType: "EXPRESS" });
    const isBounded = typeof concurrency === "number" && concurrency > 0 && concurrency <= maxConcurrency;
    return [
      ...(isExpress ? [] : [`${name}: its children are ${textOf(processor)}`]),
      ...(isBounded ? [] : [`${name}: MaxConcurrency is ${textOf(concurrency)}`]),
      ...(isCaught(machine, recordsIn(state["Catch"])) ? [] : [`${name}: an error of all ends the poll unseen`]),
      ...(tolerated === 100 ? [] : [`${name}: tolerates ${textOf(tolerated)} % of failures`]),
    ];
  });
}

/** States.ALL does not include States.DataLimitExceeded. */
function isCaught(machine: LintedMachine, catchers: readonly Readonly<Record<string, unknown>>[]): boolean {
  const errors = catchers.flatMap((catcher) => stringsIn(catcher["ErrorEquals"]));
  const targets = catchers.map((catcher) => machine.States[textOf(catcher["Next"])]);
  const areEmpty = targets.every(
    (target) => textOf(target?.["Result"]) === "[]" && target?.["ResultPath"] === "$.results",
  );
  return errors.join() === "States.DataLimitExceeded,States.ALL" && areEmpty;
}

/** Checks that each child ends before AWS ends it, with a result in any case; `timeouts` has those of the functions. */
export function childrenThatEnd(timeouts: Readonly<Record<string, number>>) {
  return (machine: LintedMachine): readonly string[] =>
    childrenOf(machine).flatMap((child) =>
      statesOf(child, "Task").flatMap(([name, state]) => [
        ...problemsOfTime(name, state, timeouts[name] ?? Infinity),
        ...recordsIn(state["Retry"]).flatMap((retrier) =>
          stringsIn(retrier["ErrorEquals"])
            .filter((error) => !retriable.has(error))
            .map((error) => `${name}: ${error} is retried`),
        ),
        ...problemsOfCatch(name, recordsIn(state["Catch"]), child),
      ]),
    );
}

function problemsOfTime(name: string, state: LintedState, functionSeconds: number): readonly string[] {
  const isOfBatch = state["TimeoutSecondsPath"] === "$.Payload.batch.seconds";
  const seconds = isOfBatch ? longestBatchSeconds : Number(state["TimeoutSeconds"]);
  const delays = recordsIn(state["Retry"]).flatMap(delaysOf);
  const longest = delays.reduce((sum, delay) => sum + delay, seconds);
  return [
    ...(functionSeconds < seconds ? [] : [`${name}: ends before its function, after ${seconds} s`]),
    ...(longest < expressSeconds ? [] : [`${name}: takes up to ${longest} s`]),
  ];
}

function problemsOfCatch(
  name: string,
  [catcher, ...others]: readonly Readonly<Record<string, unknown>>[],
  child: LintedMachine,
): readonly string[] {
  if (catcher === undefined || others.length > 0 || textOf(catcher["ErrorEquals"]) !== '["States.ALL"]')
    return [`${name}: does not catch all errors in one way`];
  const target = child.States[textOf(catcher["Next"])];
  const result = (target?.["Parameters"] ?? {}) as Readonly<Record<string, unknown>>;
  const isResult = target?.["End"] === true && result["kind"] === "failed" && result["batch.$"] === "$.Payload.batch";
  return isResult ? [] : [`${name}: a failure leads to ${textOf(catcher["Next"])}, which is no result`];
}

/** Checks that every outcome has its end: an incomplete poll is a failure that the console shows. */
export function visibleOutcomes(outcomes: readonly string[]) {
  return (machine: LintedMachine): readonly string[] => {
    const ends = Object.entries(machine.States).flatMap(([name, { Type: type, Error: error }]) =>
      type === "Succeed" || type === "Fail" ? [`${type} ${textOf(error ?? name)}`] : [],
    );
    const [[, choice] = ["", undefined]] = statesOf(machine, "Choice");
    const rules = recordsIn(choice?.["Choices"]).map((rule) => textOf(rule["StringEquals"]));
    const other = outcomes.filter((outcome) => !rules.includes(outcome));
    return [
      ...(ends.sort().join() === "Fail PollIncomplete,Succeed Polled" ? [] : [`it ends as ${ends.join(", ")}`]),
      ...rules.filter((rule) => !outcomes.includes(rule)).map((rule) => `the outcome is never ${rule}`),
      ...(other.join() === "incomplete" && choice?.["Default"] === "PollIncomplete"
        ? []
        : [`${other.join(", ")} leads to ${textOf(choice?.["Default"])}`]),
    ];
  };
}

function childrenOf(machine: LintedMachine): readonly LintedMachine[] {
  return Object.values(machine.States).flatMap(({ ItemProcessor: child }) =>
    child === undefined ? [] : [child as LintedMachine],
  );
}
