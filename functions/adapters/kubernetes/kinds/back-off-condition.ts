import { formatRfc3339, parseRfc3339 } from "../../../domain/text/rfc3339.ts";
import type { Change, Condition } from "../../../domain/workload/change.ts";
import { backOffReasons } from "../../../domain/workload/back-off-reason.ts";
import type { BackOff } from "../../../domain/workload/workload.ts";
import type { ObjectCondition } from "../conditions.ts";

const type = "AutoUpdateBackOff";

const pattern = /^attempt (\d+) of (\S+)(?: by (\S+))?, tried again at (\S+): (.*)$/s;

/** Returns the conditions that record a back-off on an object of another project; its end is written only if it has begun. */
export function backOffConditions(
  { backOff }: Change,
  present: readonly Pick<ObjectCondition, "type">[],
): readonly Condition[] {
  if (backOff === undefined || (backOff === null && !present.some((one) => one.type === type))) return [];
  if (backOff === null) return [{ type, status: "False", reason: "NotBackingOff", message: "no attempt is delayed" }];
  const { reason, message, targetImage, attempts, until, execution } = backOff;
  const by = execution === null ? "" : ` by ${execution}`;
  const text = `attempt ${attempts} of ${targetImage}${by}, tried again at ${formatRfc3339(until)}: ${message}`;
  return [{ type, status: "True", reason, message: text }];
}

/** Reads the back-off; null if there is none, and if the condition was not written by Pawl. */
export function readBackOffCondition(
  conditions: readonly Pick<ObjectCondition, "type" | "status" | "reason" | "message">[] = [],
): BackOff | null {
  const found = conditions.find((condition) => condition.type === type && condition.status === "True");
  const [, attempts = "", targetImage = "", execution = null, time = "", message = ""] =
    pattern.exec(found?.message ?? "") ?? [];
  const reason = backOffReasons.find((one) => one === found?.reason);
  const until = parseRfc3339(time);
  return reason === undefined || until === null
    ? null
    : { reason, message, targetImage, attempts: Number(attempts), until, execution };
}
