import { type LintedMachine, recordsIn, statesOf, stringsIn, textOf } from "./definition.ts";

/** The errors with which an execution ends that concluded nothing about its workload or pool. */
const inconclusive = new Set<unknown>([
  "ClusterUnreachable",
  "PlatformError",
  "UpdateFailed",
  "RolloutFailed",
  "WriteRefused",
]);

/** By these the cluster refuses a change, so that its claim is released. No version is blamed: `releaseRefused`. */
const refusals = new Set(["AdmissionDenied", "CanaryUnsupported"]);
const refusalState = "FormatRefusal";

/** Only emits what is recorded already: its failure does not change how the execution ends. */
const afterTheEnd = new Set(["OpenCircuit"]);

/**
 * Checks that no error leads to a rollback: every Catch ends the execution at once, as inconclusive. Only what a Task returned about
 * the workload is a conclusion.
 */
export function inconclusiveFailures(machine: LintedMachine): readonly string[] {
  return statesOf(machine, "Task")
    .filter(([name]) => !afterTheEnd.has(name))
    .flatMap(([name, state]) =>
      recordsIn(state["Catch"]).flatMap(({ Next: next, ErrorEquals: errors }) => {
        if (next === refusalState && stringsIn(errors).every((error) => refusals.has(error))) return [];
        if (name === "VerifyImage" && isUnjudged(machine, textOf(next))) return [];
        const target = machine.States[textOf(next)];
        const isInconclusive = target?.Type === "Fail" && inconclusive.has(target["Error"]);
        return isInconclusive ? [] : [`${name}: an error leads to ${textOf(next)}`];
      }),
    );
}

/** A Choice that ends the execution as inconclusive, or continues without a verification: the functions write no image then. */
function isUnjudged(machine: LintedMachine, choice: string): boolean {
  const state = machine.States[choice];
  const ending = machine.States[textOf(state?.["Default"])];
  const continued = recordsIn(state?.["Choices"]).map((rule) => textOf(rule["Next"]));
  return inconclusive.has(ending?.["Error"]) && continued.every((next) => next === "VerificationUnknown");
}
