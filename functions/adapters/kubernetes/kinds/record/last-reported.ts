import { truncate } from "../../../../domain/text/summarize-list.ts";
import type { Change, Condition } from "../../../../domain/workload/update/change.ts";
import type { LastReported } from "../../../../domain/workload/record/record-source.ts";
import type { ObjectCondition } from "../../conditions.ts";

/** How a kind that records its own updates reports: `held` is True if a version is held, `valid` False if the spec is invalid. */
interface ReportTypes {
  readonly held: "AutoUpdateHeld";
  readonly valid: "AutoUpdateValid" | "Valid";
  /** Whether `valid` is also written if no problem was reported before. */
  readonly isValidShown: boolean;
}

type Conditions = readonly Pick<ObjectCondition, "type" | "status" | "message">[];

/** Of the API server, for the message of a condition. */
const maxMessageLength = 32_768;

/** Returns the hold and the problem that the conditions of an object report. */
export function readLastReported(types: ReportTypes, conditions: Conditions = []): LastReported {
  const messageOf = (type: string, status: string) =>
    conditions.find((condition) => condition.type === type && condition.status === status)?.message || null;
  return { held: messageOf(types.held, "True"), problem: messageOf(types.valid, "False") };
}

/** Returns the conditions that report a hold or a problem. The end of one is written only if it was reported. */
export function reportConditions(
  types: ReportTypes,
  { lastReported: { held, problem } = {} }: Change,
  present: Conditions = [],
): readonly Condition[] {
  const isPresent = (type: string) => present.some((condition) => condition.type === type);
  const isValidWritten = types.isValidShown || isPresent(types.valid);
  return [
    ...(held === undefined || (held === null && !isPresent(types.held)) ? [] : [heldCondition(types, held)]),
    ...(problem === undefined || (problem === null && !isValidWritten) ? [] : [validCondition(types, problem)]),
  ];
}

function heldCondition({ held: type }: ReportTypes, held: string | null): Condition {
  if (held === null) return { type, status: "False", reason: "NotHeld", message: "no version is held" };
  return { type, status: "True", reason: "Held", message: truncate(held, maxMessageLength) };
}

function validCondition({ valid: type }: ReportTypes, problem: string | null): Condition {
  if (problem === null) return { type, status: "True", reason: "SpecValid", message: "the spec is valid" };
  return { type, status: "False", reason: "SpecInvalid", message: truncate(problem, maxMessageLength) };
}
