import { nameTarget } from "../../../domain/workload/target/describe-target.ts";
import { imageOfTarget } from "../../../domain/workload/target/target.ts";
import { describeBackOff, isStalled } from "../../../domain/workload/update/back-off.ts";
import type { Change } from "../../../domain/workload/update/change.ts";
import { type ObjectCondition, setConditions } from "../conditions.ts";
import { fromBackOffStatus } from "./status/back-off-status.ts";
import type { AutoUpdateStatus } from "./status/status-fields.ts";
import { targetOf } from "./status/update-status.ts";

type Verdict = Pick<ObjectCondition, "type" | "status" | "reason" | "message">;

/** The reason of `Stalled` for a configuration that its owner has to fix. Its message is the problem that was last reported. */
const invalidConfiguration = "InvalidConfiguration";

/** Returns the problem that was last reported; null if there was none. */
export function reportedProblem({ conditions = [] }: AutoUpdateStatus): string | null {
  const found = conditions.find(({ type, reason }) => type === "Stalled" && reason === invalidConfiguration);
  return found?.message ?? null;
}

/** Returns the problem to report after a change. */
export function problemAfter(before: AutoUpdateStatus, { lastReported }: Change): string | null {
  return lastReported?.problem === undefined ? reportedProblem(before) : lastReported.problem;
}

/**
 * Returns the conditions of a status as kstatus reads them: `Ready` always, `Reconciling` and `Stalled` only while they are True.
 * https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md
 */
export function conditionsOf(
  status: AutoUpdateStatus,
  problem: string | null,
  generation: number,
  now: Date,
): readonly ObjectCondition[] {
  const verdicts = verdictsOf(status, problem, now);
  const kept = (status.conditions ?? []).filter(({ type }) => verdicts.some((verdict) => verdict.type === type));
  return setConditions(kept, verdicts, generation, now).toSorted((one, other) => one.type.localeCompare(other.type));
}

function verdictsOf(status: AutoUpdateStatus, problem: string | null, now: Date): readonly Verdict[] {
  const { update, circuitOpen, currentVersion } = status;
  const backOff = fromBackOffStatus(status.backOff);
  if (problem !== null) return stalled(invalidConfiguration, problem);
  if (backOff !== null && isStalled(backOff)) return stalled("UpdateFailed", describeBackOff(backOff));
  if (backOff?.reason === "Quarantined" && backOff.until > now)
    return notReady("Reconciling", backOff.reason, describeBackOff(backOff));
  if (update !== undefined) {
    const { autoscaler } = update;
    const waitingFor = waitingReasonOf(update);
    const waiting = waitingFor === undefined ? "" : `: ${waitingFor}`;
    const scaled =
      autoscaler === undefined
        ? ""
        : `; HorizontalPodAutoscaler ${autoscaler} averages over the pods of the canary too`;
    const reason = updateReason(update);
    const target = targetOf(update);
    const what = reason === "Restarting" ? imageOfTarget(target) : nameTarget(target);
    return notReady("Reconciling", reason, `${verbs[reason]} ${what}${waiting}${scaled}`);
  }
  if (circuitOpen) return stalled("CircuitOpen", `${openedBy(status)}; run "pawl reset" to try again`);
  // It is tried again by itself, so it is no failure yet.
  if (backOff !== null) return notReady("Reconciling", backOff.reason, describeBackOff(backOff));
  const message = currentVersion === undefined ? "no version is recorded yet" : `running ${currentVersion}`;
  return [{ type: "Ready", status: "True", reason: "AtRest", message }];
}

/** Returns what opened the circuit. */
function openedBy({ history = [], rollbackCount = 0 }: AutoUpdateStatus): string {
  const last = history.at(-1);
  if (last?.result !== "RollbackFailed") return `${rollbackCount} rollbacks in a row opened the circuit`;
  return `the rollback to release ${last.release} failed, and was not reverted: ${last.reason}; correct the pod template`;
}

/** Returns what an update in flight waits for; undefined if nothing but its pods. */
function waitingReasonOf({ waitingReason, hook }: NonNullable<AutoUpdateStatus["update"]>): string | undefined {
  if (hook === undefined || hook.result !== undefined) return waitingReason;
  return `waits for the ${hook.stage.toLowerCase()} hook ${hook.job}`;
}

/** What is done, by the reason of the condition. */
const verbs = {
  Updating: "updating to",
  Restarting: "restarting",
  RestoringRelease: "rolling back to",
  CanaryInProgress: "updating to",
  Baking: "all replicas are ready, and are watched, on",
  RollingBack: "rolling back",
} as const;

function updateReason({ phase, strategy, bakingSince }: NonNullable<AutoUpdateStatus["update"]>): keyof typeof verbs {
  if (phase === "RollingBack") return "RollingBack";
  if (bakingSince !== undefined) return "Baking";
  return updatingReasons[strategy];
}

const updatingReasons = {
  Rolling: "Updating",
  Canary: "CanaryInProgress",
  Restart: "Restarting",
  Release: "RestoringRelease",
} as const;

function stalled(reason: string, message: string): readonly Verdict[] {
  return notReady("Stalled", reason, message);
}

function notReady(type: "Reconciling" | "Stalled", reason: string, message: string): readonly Verdict[] {
  return [
    { type: "Ready", status: "False", reason, message },
    { type, status: "True", reason, message },
  ];
}
