import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { Change, Condition } from "../../../../domain/workload/update/change.ts";
import { backOffReasons } from "../../../../domain/workload/update/back-off-reason.ts";
import type { BackOff } from "../../../../domain/workload/workload.ts";
import type { ObjectCondition } from "../../conditions.ts";

const type = "AutoUpdateBackOff";

const pattern = /^attempt (\d+) of (\S+)(?: by (\S+))?, tried again at (\S+): (.*)$/s;

/** Follows the text of a quarantine, whose own message does not contain it. */
const beforeIt = " (before it: ";

/** Returns the conditions that record a back-off on an object of another project; its end is written only if it has begun. */
export function backOffConditions(
  { backOff }: Change,
  present: readonly Pick<ObjectCondition, "type">[],
): readonly Condition[] {
  if (backOff === undefined || (backOff === null && !present.some((one) => one.type === type))) return [];
  if (backOff === null) return [{ type, status: "False", reason: "NotBackingOff", message: "no attempt is delayed" }];
  return [{ type, status: "True", reason: backOff.reason, message: formatBackOff(backOff) }];
}

/** Reads the back-off; null if there is none, and if the condition was not written by Pawl. */
export function readBackOffCondition(
  conditions: readonly Pick<ObjectCondition, "type" | "status" | "reason" | "message">[] = [],
): BackOff | null {
  const found = conditions.find((condition) => condition.type === type && condition.status === "True");
  return parseBackOff(found?.reason, found?.message ?? "");
}

function formatBackOff({ message, target, attempts, until, execution, suspended }: BackOff): string {
  const by = execution === null ? "" : ` by ${execution}`;
  const before = suspended === undefined ? "" : `${beforeIt}${suspended.reason}, ${formatBackOff(suspended)})`;
  return `attempt ${attempts} of ${target.image}${by}, tried again at ${formatRfc3339(until)}: ${message}${before}`;
}

function parseBackOff(name: string | undefined, text: string): BackOff | null {
  const reason = backOffReasons.find((one) => one === name);
  const [own, before] = reason === "Quarantined" ? splitSuspended(text) : [text, ""];
  const [, attempts = "", image = "", execution = null, time = "", message = ""] = pattern.exec(own) ?? [];
  const until = parseRfc3339(time);
  if (reason === undefined || until === null) return null;
  const comma = before.indexOf(", ");
  const suspended = comma === -1 ? null : parseBackOff(before.slice(0, comma), before.slice(comma + 2));
  const target = { kind: "image", image } as const;
  const backOff = { reason, message, target, attempts: Number(attempts), until, execution };
  return suspended === null ? backOff : { ...backOff, suspended };
}

/** Returns the text of a quarantine, and that of the back-off before it; "" if there was none. */
function splitSuspended(text: string): readonly [string, string] {
  const at = text.indexOf(beforeIt);
  return at === -1 || !text.endsWith(")") ? [text, ""] : [text.slice(0, at), text.slice(at + beforeIt.length, -1)];
}
