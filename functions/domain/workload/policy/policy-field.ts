import type { OnFailure } from "../../version/select-tag.ts";
import type { Policy, Workload } from "../workload.ts";
import type { HealthTimeoutRange } from "./parse-fields.ts";
import type { Written } from "./raw-policy.ts";
import type { Versioning } from "../../version/tag.ts";

/** What differs between the kinds. */
export interface PolicyRules extends HealthTimeoutRange {
  /** The schedule if none is set; null is due at every poll. */
  readonly defaultSchedule: string | null;
  /** How long after a time of the schedule an update may start if that is not set; null is until the next one. */
  readonly defaultToleranceSeconds: number | null;
  /** Why this kind supports no canary; null if it does. */
  readonly canaryUnavailableReason: string | null;
  /** How tags are read, if its owner cannot choose that. */
  readonly versioning?: Versioning;
  /** Whether 0 is the default number of rollbacks that open the circuit. Elsewhere it is invalid. */
  readonly allowsZeroRollbacks?: true;
  /** Absent: "hold". A Claw keeps k8s4claw's rule. */
  readonly defaultOnFailure?: OnFailure;
}

/** One field of a policy. All that Pawl knows of it is derived from its row. */
export interface PolicyField {
  /** null if an annotation cannot say it. */
  readonly annotation: string | null;
  /** Its path in `spec.policy` of an AutoUpdate; null if it is not there. */
  readonly path: string | null;
  /** Its value in `spec.policy`. "list": of names. "json": a structure, in an annotation as YAML or JSON. "presence": an object, even if empty. */
  readonly type: "string" | "integer" | "boolean" | "list" | "json" | "presence";
  /** Of its text, in characters. Absent if only fixed values are accepted. */
  readonly maxLength?: number;
  /** Keeps a value that is too long, beside its problem. */
  readonly keepsLongValue?: true;
  readonly label: string;
  /** Describes it in the CRD. */
  readonly description: string;
  /** Parses a value that depends on no other field. */
  readonly parse?: (written: WrittenField) => Partial<Policy>;
  /**
   * Returns the stricter of two values, the second of which the deployment enforces. Without it and `enforcedAs`, a deployment has no
   * default of the field.
   */
  readonly stricter?: (own: Written, enforced: Written) => Written;
  /** The field that collects what is enforced, instead: both count. */
  readonly enforcedAs?: string;
  /** Formats it for people; null if it is off by default or its kind lacks it. Absent: as it is written. */
  readonly format?: (workload: Pick<Workload, "policy" | "ref">) => string | null;
}

/** A field to parse. A value that is too long is absent. */
export interface WrittenField {
  readonly text: string | undefined;
  /** The same as read from YAML or JSON. */
  readonly value: unknown;
  readonly isTooLong: boolean;
  readonly rules: PolicyRules;
  /** Reports the value as invalid. */
  readonly report: (reason: string) => void;
}
