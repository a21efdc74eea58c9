import * as v from "valibot";
import { type VerificationOutcome, verificationOutcome } from "../domain/signature/outcome.ts";
import { openObject } from "../domain/text/schema.ts";
import { targetInput } from "./target.ts";
import { nonEmptyString, workloadRef } from "./validate.ts";

/**
 * How the target is reached. "restart" recreates all pods; "release" restores a whole pod template; "abort" removes a canary whose
 * execution was stopped manually.
 */
const strategy = v.picklist(["rolling", "restart", "release", "canary", "abort"]);

const updateInput = openObject({
  cluster: nonEmptyString,
  workload: workloadRef,
  target: targetInput,
  strategy,
  /** The digests of the tracked containers, as `name:digest,name:digest`; empty if none is tracked by digest. */
  digests: v.string(),
  /** The digests that pods of these containers may report: those of the manifests of an index too. Absent if none has changed. */
  manifests: v.exactOptional(v.string()),
  /** The update is in flight and has lost its execution: resume at the readiness check. */
  adopting: v.boolean(),
  /** A newer version than that of the adopted update, which ends if its pull request is still open. */
  newer: v.exactOptional(nonEmptyString),
});

/** The input of an execution of `workload-update`. Small and byte-stable, so it contains no time. */
export type UpdateInput = Readonly<v.InferOutput<typeof updateInput>>;

/** The input of every Task: that of the execution, and its name. */
export const stepInput = openObject({
  ...updateInput.entries,
  /** The execution's name, which is in every log line, Event and annotation that it causes. */
  execution: nonEmptyString,
  /** What `VerifyImage` answered. The machine passes it; a caller who starts an execution cannot. */
  verification: v.exactOptional(verificationOutcome),
});

export type StepInput = Readonly<v.InferOutput<typeof stepInput>>;

/**
 * The output of a Task. The next Choice tests `kind`; `reason` is a sentence for people. "superseded": another execution holds the
 * claim, or the object was deleted or changed manually. Nothing more is changed then.
 */
export interface StepResult<Kind extends string> {
  readonly kind: Kind;
  readonly reason: string;
}

/**
 * The output of a Task before a Wait, which reads `waitSeconds` from every output. "parked": nothing can be judged until a person acts or scales, or
 * the image is verified again, and the execution sleeps.
 */
export interface TimedStepResult<Kind extends string> extends StepResult<Kind> {
  readonly waitSeconds: number;
}

/** The output of a Task of a canary. `step` is for people: `2/5 (25%)`; "" if it is not known. */
export interface CanaryStepResult<Kind extends string> extends TimedStepResult<Kind> {
  readonly step: string;
}

/**
 * "apply", "restore", "canary" and "record" continue the update where it waited for its hook. "expired", "no-result" and "abort" roll it back. "failed": it ended
 * before anything was applied; "tripped": and its circuit is open.
 */
interface HookTask {
  readonly input: StepInput & { readonly executionStartedAt: string };
  readonly output: TimedStepResult<
    | "progressing"
    | "apply"
    | "restore"
    | "canary"
    | "record"
    | "expired"
    | "no-result"
    | "abort"
    | "failed"
    | "tripped"
    | "continue"
    | "superseded"
  >;
}

/** Input and output of every Task. All may throw `Unreachable`, `Throttled`, `Conflict`; the machine retries on these names. */
export interface Tasks {
  readonly VerifyImage: {
    /** `step` is the kind of the last step: "begun" before the first. Absent of a poll. */
    readonly input: Omit<StepInput, "verification"> & { readonly step?: string };
    readonly output: VerificationOutcome;
  };
  readonly ApplyUpdate: {
    /** `step`: as above. After "scale-down" it removes the canary of a promotion, and writes no image. */
    readonly input: StepInput & { readonly step?: string };
    readonly output: TimedStepResult<"applied" | "hook" | "sync" | "not-ready" | "parked" | "superseded">;
  };
  readonly AdoptUpdate: {
    readonly input: StepInput;
    readonly output: TimedStepResult<"adopted" | "canary" | "hook" | "sync" | "abort" | "superseded">;
  };
  readonly RestoreRelease: {
    readonly input: StepInput;
    /** "disabled": the deployment does not enable releases any more. */
    readonly output: TimedStepResult<"applied" | "hook" | "unrestorable" | "disabled" | "superseded">;
  };
  readonly SyncUpdate: {
    readonly input: StepInput & { readonly executionStartedAt: string };
    /** "synced" and "restored": the workload has the image, of the update or of before it. "held": a person reverted it in git. "refused" and "abort": RollBack ends it. */
    readonly output: TimedStepResult<
      "synced" | "restored" | "progressing" | "parked" | "held" | "refused" | "abort" | "continue" | "superseded"
    >;
  };
  readonly RunHook: HookTask;
  readonly CheckHook: HookTask;
  readonly StartCanary: {
    readonly input: StepInput;
    readonly output: CanaryStepResult<"started" | "hook" | "parked" | "superseded">;
  };
  readonly CheckCanary: {
    readonly input: StepInput & { readonly executionStartedAt: string };
    readonly output: CanaryStepResult<
      | "ready"
      | "promoted"
      | "roll"
      /** It grows to a later step, and AnalyzeCanary measures it meanwhile. */
      | "measure"
      | "progressing"
      | "parked"
      | "expired"
      | "fail"
      | "unproven"
      | "not-started"
      | "withdraw"
      | "continue"
      | "superseded"
    >;
  };
  readonly AnalyzeCanary: {
    readonly input: StepInput & { readonly executionStartedAt: string };
    /** "next": the step is over, and StartCanary begins the next one. */
    readonly output: CanaryStepResult<
      | "running"
      | "progressing"
      | "parked"
      | "roll"
      | "next"
      | "pass"
      | "fail"
      | "unproven"
      | "withdraw"
      | "continue"
      | "superseded"
    >;
  };
  readonly CheckReadiness: {
    readonly input: StepInput & { readonly executionStartedAt: string };
    readonly output: TimedStepResult<
      | "ready"
      | "bake"
      /** ApplyUpdate removes the canary of a promotion. */
      | "scale-down"
      | "roll"
      | "progressing"
      | "parked"
      | "expired"
      | "fail"
      | "unproven"
      | "not-started"
      | "withdraw"
      | "continue"
      | "superseded"
    >;
  };
  readonly RollPod: {
    /** An execution that an earlier version started does not say when. */
    readonly input: StepInput & { readonly executionStartedAt?: string };
    /** "rolled": in an update; "canary": of a canary; "restored": in a rollback. All of them also if the pod could not be replaced yet. */
    readonly output: TimedStepResult<"rolled" | "canary" | "restored" | "superseded">;
  };
  readonly AnalyzeRollout: {
    readonly input: StepInput & { readonly executionStartedAt: string };
    readonly output: TimedStepResult<"running" | "pass" | "unknown" | "fail" | "continue" | "superseded">;
  };
  readonly RecordSuccess: {
    /** "unknown" is recorded with its reason. Absent in an execution that began before an upgrade. */
    readonly input: StepInput & { readonly verdict?: string; readonly reason?: string };
    readonly output: StepResult<"recorded" | "hook" | "superseded">;
  };
  readonly RollBack: {
    readonly input: StepInput & { readonly verdict: string; readonly reason: string };
    readonly output: StepResult<"reverting" | "restore" | "sync" | "refused" | "superseded">;
  };
  readonly CheckRollback: {
    readonly input: StepInput & { readonly executionStartedAt: string; readonly reason: string };
    readonly output: TimedStepResult<
      "progressing" | "roll" | "rolled-back" | "circuit-tripped" | "withdrawn" | "continue" | "superseded"
    >;
  };
  readonly OpenCircuit: {
    readonly input: StepInput & { readonly reason: string };
    readonly output: StepResult<"opened">;
  };
  readonly ContinueAsNew: { readonly input: StepInput; readonly output: StepResult<"continued"> };
}

export type TaskName = keyof Tasks;
/** What the machine sends to a Task: the input of the execution, as it was started, and what is of the Task. */
export type TaskEvent<Name extends TaskName> = { readonly input: UpdateInput } & Omit<
  TaskInput<Name>,
  keyof UpdateInput
>;
export type TaskInput<Name extends TaskName> = Tasks[Name]["input"];
export type TaskOutput<Name extends TaskName> = Tasks[Name]["output"];
