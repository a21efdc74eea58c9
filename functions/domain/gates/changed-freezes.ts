import { parseJson } from "../text/parse-json.ts";
import { formatRfc3339 } from "../text/rfc3339.ts";
import { truncate } from "../text/summarize-list.ts";
import type { Freeze, Freezes } from "./freeze.ts";

/** The reason of the Event about a change. */
export const freezeEventReason = "AutoUpdateFreeze";

const maxLength = 300;
const maxFreezes = 50;

/** Describes each freeze of the ConfigMap; of an invalid one why it is. */
export function describeFreezes(found: Freezes): readonly string[] {
  const texts = found.kind === "unknown" ? [`invalid: ${found.reason}`] : found.freezes.map(describe);
  return texts.slice(0, maxFreezes).map((text) => truncate(text, maxLength));
}

function describe({ reason, by, from, to, namespaces, rollBack }: Freeze): string {
  return [
    reason,
    ...(by === null ? [] : [`by ${by}, as it says`]),
    ...(from === null ? [] : [`from ${formatRfc3339(from)}`]),
    ...(to === null ? [] : [`until ${formatRfc3339(to)}`]),
    ...(namespaces === null ? [] : [`in ${namespaces.join(", ")}`]),
    ...(rollBack ? ["updates in progress go back"] : []),
  ].join(", ");
}

/** Returns what has changed, by what was reported last (JSON of the descriptions; null if nothing was). */
export function changedFreezes(before: string | null, current: readonly string[]): readonly string[] {
  const parsed = parseJson(before ?? "");
  const known: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
  return [
    ...current.filter((one) => !known.includes(one)).map((one) => `frozen: ${one}`),
    ...known.filter((one) => !current.some((now) => now === one)).map((one) => `no longer frozen: ${String(one)}`),
  ];
}
