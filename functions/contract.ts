import type { WorkloadRef } from "./domain/workload.ts";

/** The input of an execution of `workload-update`. Small and byte-stable: no time stands in it. */
export interface UpdateInput {
  readonly cluster: string;
  readonly workload: WorkloadRef;
  /** The whole reference to run. */
  readonly image: string;
  readonly strategy: "rolling";
  /** The update is in flight already and has lost its execution: go on at the readiness check. */
  readonly recovering: boolean;
}

/** What every Task of the machine is given besides the input of its execution. */
export interface StepInput extends UpdateInput {
  /** The execution's name: it stands in every log line, Event and annotation that the execution causes. */
  readonly execution: string;
}

/** The claim is another's, the object is gone, or a person's hand has changed it: nothing more is touched. */
export interface Superseded {
  readonly kind: "superseded";
  readonly reason: string;
}

/** Input and output of every Task. All may throw `Unreachable`, `Throttled`, `Conflict`; the machine retries on these names. */
export interface Tasks {
  readonly ApplyUpdate: {
    readonly input: StepInput;
    readonly output: { readonly kind: "applied"; readonly waitSeconds: number; readonly reason: string } | Superseded;
  };
  readonly AdoptUpdate: {
    readonly input: StepInput;
    readonly output: { readonly kind: "adopted"; readonly waitSeconds: number; readonly reason: string } | Superseded;
  };
  readonly CheckReadiness: {
    readonly input: StepInput & { readonly executionStartedAt: string };
    readonly output:
      | {
          readonly kind: "ready" | "progressing" | "expired" | "handover";
          readonly waitSeconds: number;
          readonly reason: string;
        }
      | Superseded;
  };
  readonly RecordSuccess: {
    readonly input: StepInput;
    readonly output: { readonly kind: "recorded"; readonly reason: string } | Superseded;
  };
  readonly RollBack: {
    readonly input: StepInput & { readonly verdict: string; readonly reason: string };
    readonly output: { readonly kind: "rolled-back" | "tripped" | "not-applied"; readonly reason: string } | Superseded;
  };
  readonly OpenCircuit: {
    readonly input: StepInput & { readonly reason: string };
    readonly output: { readonly kind: "opened"; readonly reason: string };
  };
  readonly HandOver: {
    readonly input: StepInput;
    readonly output: { readonly kind: "handed-over"; readonly reason: string };
  };
}

export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Tasks[Name]["input"];
export type TaskOutput<Name extends TaskName> = Tasks[Name]["output"];
