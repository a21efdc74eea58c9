import type { WorkloadRef } from "./domain/workload.ts";

/**
 * "restart" makes all pods anew, because something else stands behind the tag that they run; "abort" takes a canary back
 * whose execution a person has stopped.
 */
export type Strategy = "rolling" | "restart" | "canary" | "abort";

/** The input of an execution of `workload-update`. Small and byte-stable: no time stands in it. */
export interface UpdateInput {
  readonly cluster: string;
  readonly workload: WorkloadRef;
  /** The whole reference to run; of a restart, the tag that runs and the digest that is new behind it. */
  readonly image: string;
  readonly strategy: Strategy;
  /** What stands behind the tags of the followed containers, as `name:digest,name:digest`; empty where none is followed by digest. */
  readonly digests: string;
  /** The update is in flight already and has lost its execution: go on at the readiness check. */
  readonly recovering: boolean;
}

/** What every Task of the machine is given besides the input of its execution. */
export interface StepInput extends UpdateInput {
  /** The execution's name: it stands in every log line, Event and annotation that the execution causes. */
  readonly execution: string;
}

/**
 * What a Task answers. `kind` is what the Choice behind it tests; `reason` is a sentence for people. "superseded": the
 * claim is another's, the object is gone, or a person's hand has changed it, and nothing more is touched.
 */
export interface Answer<Kind extends string> {
  readonly kind: Kind;
  readonly reason: string;
}

/** Where the machine picks its next wait from the answer, every answer has to carry one. */
export interface TimedAnswer<Kind extends string> extends Answer<Kind> {
  readonly waitSeconds: number;
}

/** Input and output of every Task. All may throw `Unreachable`, `Throttled`, `Conflict`; the machine retries on these names. */
export interface Tasks {
  readonly ApplyUpdate: { readonly input: StepInput; readonly output: TimedAnswer<"applied" | "superseded"> };
  readonly AdoptUpdate: {
    readonly input: StepInput;
    readonly output: TimedAnswer<"adopted" | "canary" | "abort" | "superseded">;
  };
  readonly StartCanary: { readonly input: StepInput; readonly output: TimedAnswer<"started" | "superseded"> };
  readonly CheckCanary: {
    readonly input: StepInput & { readonly executionStartedAt: string };
    readonly output: TimedAnswer<"ready" | "promoted" | "progressing" | "expired" | "handover" | "superseded">;
  };
  readonly AnalyzeCanary: {
    readonly input: StepInput & { readonly executionStartedAt: string };
    readonly output: TimedAnswer<"running" | "pass" | "fail" | "handover" | "superseded">;
  };
  readonly CheckReadiness: {
    readonly input: StepInput & { readonly executionStartedAt: string };
    readonly output: TimedAnswer<"ready" | "progressing" | "expired" | "handover" | "superseded">;
  };
  readonly RecordSuccess: { readonly input: StepInput; readonly output: Answer<"recorded" | "superseded"> };
  readonly RollBack: {
    readonly input: StepInput & { readonly verdict: string; readonly reason: string };
    readonly output: Answer<"rolled-back" | "tripped" | "not-applied" | "superseded">;
  };
  readonly OpenCircuit: { readonly input: StepInput & { readonly reason: string }; readonly output: Answer<"opened"> };
  readonly HandOver: { readonly input: StepInput; readonly output: Answer<"handed-over"> };
}

export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Tasks[Name]["input"];
export type TaskOutput<Name extends TaskName> = Tasks[Name]["output"];
