import * as v from "valibot";
import { closedObject, durationSeconds } from "../text/schema.ts";
import { type Validation, validate } from "../text/schema-problems.ts";
import type { Written } from "../workload/policy/raw-policy.ts";
import { type ScanPolicy, severities } from "./scan.ts";

const defaultTimeoutSeconds = 3600;
const maxTimeoutSeconds = 30 * 86_400;

const schema = v.pipe(
  closedObject({
    maxSeverity: v.picklist(severities, `one of ${severities.join(", ")}`),
    newOnly: v.nullish(v.boolean("true or false"), true),
    timeout: v.nullish(durationSeconds(0, maxTimeoutSeconds), null),
    onUnknown: v.nullish(v.picklist(["hold", "allow"], '"hold" or "allow"'), "hold"),
  }),
  v.transform(({ timeout, ...others }): ScanPolicy => ({
    ...others,
    timeoutSeconds: timeout ?? defaultTimeoutSeconds,
  })),
);

/** Parses what findings close the gate. */
export function parseScanPolicy(written: unknown): Validation<ScanPolicy> {
  return validate(schema, written, "scan");
}

/** Returns the stricter of two in each respect. One that is invalid is a problem, and remains. */
export function stricterScan(own: Written, enforced: Written): Written {
  const [one, other] = [parseScanPolicy(own.value), parseScanPolicy(enforced.value)];
  if (one.kind === "invalid" || other.kind === "invalid") return own;
  const [a, b] = [one.value, other.value];
  const isLower = severities.indexOf(a.maxSeverity) < severities.indexOf(b.maxSeverity);
  const value = {
    maxSeverity: isLower ? a.maxSeverity : b.maxSeverity,
    newOnly: a.newOnly && b.newOnly,
    timeout: `${Math.max(a.timeoutSeconds, b.timeoutSeconds)}s`,
    onUnknown: a.onUnknown === "allow" && b.onUnknown === "allow" ? "allow" : "hold",
  };
  return { ...own, value };
}
