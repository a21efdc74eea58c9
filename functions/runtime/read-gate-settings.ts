import { type DailyDigest, parseDigests } from "../domain/notification/daily-digest.ts";
import type { Freeze } from "../domain/gates/freeze.ts";
import { parseFreezes } from "../domain/gates/parse-freezes.ts";
import type { Validation } from "../domain/text/schema-problems.ts";
import type { PolicyDefaults } from "../domain/workload/policy/defaults.ts";
import { parseDefaults } from "../domain/workload/policy/written-defaults.ts";

const liftedBy = "a deployment of Pawl without it (freeze in pawl.json)";

/** Parses the freezes of the deployment, as JSON. */
export function readFreezeSetting(value: string | undefined, problems: string[]): readonly Freeze[] {
  return readList("PAWL_FREEZE", value, parseFreezes, problems).map((freeze) => ({ ...freeze, liftedBy }));
}

/** Parses what the deployment says about policies, as JSON. */
export function readDefaultsSetting(value: string | undefined, problems: string[]): readonly PolicyDefaults[] {
  return readList("PAWL_DEFAULTS", value, parseDefaults, problems);
}

/** Parses the daily digests, as JSON. */
export function readDigestsSetting(value: string | undefined, problems: string[]): readonly DailyDigest[] {
  return readList("PAWL_DAILY_DIGESTS", value, parseDigests, problems);
}

function readList<Entry>(
  name: string,
  value: string | undefined,
  parse: (written: unknown) => Validation<readonly Entry[]>,
  problems: string[],
): readonly Entry[] {
  if (!value) return [];
  const parsed = parse(parseJson(value));
  if (parsed.kind === "valid") return parsed.value;
  problems.push(...parsed.problems.map(({ reason }) => `${name}: ${reason}`));
  return [];
}

/** What is no JSON is no list either. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
