import { describeStep } from "../workload/canary/progress.ts";
import { isProposed } from "../workload/git/git-claim.ts";
import { nameTarget } from "../workload/target/describe-target.ts";
import { imageOfTarget } from "../workload/target/target.ts";
import type { InFlight } from "../workload/update/in-flight.ts";
import type { ParkReason } from "../workload/update/parked-update.ts";
import type { Workload } from "../workload/workload.ts";
import { createState, type stateReasons, type WorkloadState } from "./state.ts";

type Update = Pick<Workload, "canaryProgress"> & { readonly inFlight: InFlight };

type Reason = (typeof stateReasons)["Updating" | "RollingBack"][number];
type WaitReason = (typeof stateReasons)["Waiting"][number];

/** Returns the state of a workload with an update in flight. */
export function updateState({ inFlight, canaryProgress }: Update): WorkloadState {
  const { phase, hook, observation, target, suspect, parked, failing } = inFlight;
  const [reason, action] = actionOf(inFlight);
  const name = phase === "restart" ? imageOfTarget(target) : nameTarget(target);
  const isCanary = phase === "canary" && canaryProgress !== null;
  const what = `${action} ${name}${isCanary ? `, canary ${describeStep(canaryProgress)}` : ""}`;
  const waiting = (why: WaitReason, wait: string) => createState(["Waiting", why], `${what}: ${wait}`);
  if (hook !== undefined && hook.result === null)
    return waiting("HookRunning", `waits for the ${hook.stage} hook ${hook.job}`);
  if (reason === "RollingBack")
    return createState(["RollingBack", reason], suspect === undefined ? what : `${what}: ${suspect.reason}`);
  if (isProposed(inFlight) && observation?.kind === "waiting") return waiting("PullRequest", observation.reason);
  if (parked !== undefined) return waiting(parked.reason, waits[parked.reason]);
  if (observation?.kind === "waiting") return waiting("NoVerdict", observation.reason);
  if (isCanary && canaryProgress.waitsFor === "Promotion") return waiting("CanaryPaused", waits.CanaryPaused);
  return createState(["Updating", reason], failing === undefined ? what : `${what}: ${failing}`);
}

/** What a parked update waits for. */
const waits = {
  NoReplicas: "not judged while it is scaled to 0",
  NextJob: "not judged until its next Job has run it",
  WorkloadPaused: "not judged while its owner has paused it",
  InvalidSetting: "not judged until an invalid setting is fixed",
  Unverified: "the canary keeps its size until its image is verified",
  PullRequest: "waits until a person merges its pull request",
  CanaryPaused: 'waits for a person; run "pawl promote" or "pawl abort"',
} as const satisfies Record<ParkReason, string>;

const actions = {
  canary: ["CanaryInProgress", "updating to"],
  rollout: ["Updating", "updating to"],
  restart: ["Restarting", "restarting"],
  release: ["RestoringRelease", "rolling back to"],
  rollback: ["RollingBack", "rolling back"],
} as const satisfies Record<InFlight["phase"], readonly [Reason, action: string]>;

function actionOf({ phase, observation, isSlow }: InFlight): readonly [Reason, action: string] {
  const isBaking = observation?.kind === "baking";
  if (isBaking) return ["Baking", "all replicas are ready, and are watched, on"];
  return isSlow ? ["Slow", `slowly ${actions[phase][1]}`] : actions[phase];
}
