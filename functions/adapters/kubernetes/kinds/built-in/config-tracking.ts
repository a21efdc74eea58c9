import { truncate } from "../../../../domain/text/summarize-list.ts";
import { placeBeside } from "../../../../domain/workload/policy/policy-table.ts";
import { type RawPolicy, textOf, type Written } from "../../../../domain/workload/policy/raw-policy.ts";
import type { ConfigTracking } from "../../../../domain/workload/config/tracking.ts";
import { parseCommaList } from "../../../../domain/text/comma-list.ts";
import type { ConfigStatus } from "../../auto-update/status/status-fields.ts";
import { type ConfigUse, configUses, mergeUses } from "../../config/pod-config.ts";
import { type BuiltInObject, rawPolicyOf, templateOf } from "../pod-template/pod-template.ts";
import { fieldProblem, type Problem } from "../../../../domain/workload/policy/problem.ts";

/** How many mistakes are reported: one may repeat. */
const maxProblems = 10;

/** Returns the value of the opt-in; undefined if it is absent or "false". */
function optIn({ restartOnConfigChange }: RawPolicy): string | undefined {
  const value = textOf(restartOnConfigChange);
  return value === "false" ? undefined : value;
}

/** Reports whether a change of the configuration restarts the workload. A misspelt value counts, so that it is reported. */
export function hasConfigOptIn(raw: RawPolicy): boolean {
  return optIn(raw) !== undefined;
}

interface ParsedConfigTracking {
  readonly tracking: ConfigTracking | null;
  readonly problems: readonly Problem[];
}

/** Reads which configuration restarts the workload: what its pod template uses, and what its owner named. */
export function readConfigTracking(
  object: BuiltInObject,
  { salt, digests = {}, resourceVersions = {}, lastChange }: ConfigStatus,
): ParsedConfigTracking {
  const raw = rawPolicyOf(object);
  const value = optIn(raw);
  const { configDependencies: named } = raw;
  // Without an opt-in they would be ignored. "false" disables them on purpose.
  if (named !== undefined && raw["restartOnConfigChange"] === undefined) {
    const text = `${named.place} needs ${placeBeside(named, "restartOnConfigChange")}: "true"`;
    return { tracking: null, problems: [{ field: named.place, code: "InvalidValue", text }] };
  }
  if (value !== "true") return { tracking: null, problems: [] };
  const { uses, problems } = namedUses(named);
  const references = mergeUses([...configUses(templateOf(object)), ...uses]);
  return {
    // Without their salt, recorded digests mean nothing: what is seen next is the baseline.
    tracking:
      salt === undefined
        ? { references, salt: null, deployed: {}, versions: {} }
        : {
            references,
            salt,
            deployed: digests,
            versions: resourceVersions,
            ...(lastChange === undefined ? {} : { lastChange }),
          },
    problems: problems.slice(0, maxProblems),
  };
}

interface Named {
  readonly uses: readonly ConfigUse[];
  readonly problems: readonly Problem[];
}

/** Parses `configmap/name,secret/name`. */
function namedUses(written: Written | undefined): Named {
  const parsed = parseCommaList(textOf(written)).map((entry) => parseEntry(entry, (written as Written).place));
  return { uses: parsed.filter((one) => "kind" in one), problems: parsed.filter((one) => "code" in one) };
}

/** The name of an object: RFC 1123. */
const entryPattern = /^(configmap|secret)\/([a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?)$/;

const usage = "is not configmap/NAME or secret/NAME";

function parseEntry(entry: string, place: string): ConfigUse | Problem {
  const [, kind, name] = entryPattern.exec(entry) ?? [];
  if (kind === undefined || name === undefined) return fieldProblem(place, "InvalidValue", usage, truncate(entry));
  return { kind: kind === "secret" ? "secret" : "configmap", name, key: null, isOptional: false, isNamed: true };
}
