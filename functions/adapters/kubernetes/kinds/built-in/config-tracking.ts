import { truncate } from "../../../../domain/text/summarize-list.ts";
import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import type { ConfigTracking } from "../../../../domain/workload/config/tracking.ts";
import { parseCommaList } from "../../../../domain/text/comma-list.ts";
import type { ConfigStatus } from "../../auto-update/status/status-fields.ts";
import { type ConfigUse, configUses, mergeUses } from "../../config/pod-config.ts";
import type { ObjectMeta } from "../../objects.ts";
import { type BuiltInObject, templateOf } from "../pod-template/pod-template.ts";
import { fieldProblem, type Problem } from "../../../../domain/workload/policy/problem.ts";

/** How many mistakes are reported: one may repeat. */
const maxProblems = 10;

const missingOptIn: Problem = {
  field: annotations.configDependencies,
  code: "InvalidValue",
  text: `${annotations.configDependencies} needs ${annotations.restartOnConfigChange}: "true"`,
};

/** Returns the value of the opt-in; undefined if it is absent or "false". */
function optIn({ annotations: from }: Pick<ObjectMeta, "annotations">): string | undefined {
  const value = from?.[annotations.restartOnConfigChange];
  return value === "false" ? undefined : value;
}

/** Reports whether a change of the configuration restarts the workload. A misspelt value counts, so that it is reported. */
export function hasConfigOptIn(metadata: Pick<ObjectMeta, "annotations">): boolean {
  return optIn(metadata) !== undefined;
}

interface ParsedConfigTracking {
  readonly tracking: ConfigTracking | null;
  readonly problems: readonly Problem[];
}

/** Reads which configuration restarts the workload: what its pod template uses, and what its owner named. */
export function readConfigTracking(
  object: BuiltInObject,
  { salt, digests = {}, resourceVersions = {} }: ConfigStatus,
): ParsedConfigTracking {
  const { annotations: from = {} } = object.metadata;
  const value = optIn(object.metadata);
  // Without an opt-in they would be ignored. "false" disables them on purpose.
  const isForgotten = !(annotations.restartOnConfigChange in from) && annotations.configDependencies in from;
  if (isForgotten) return { tracking: null, problems: [missingOptIn] };
  if (value !== "true") return { tracking: null, problems: [] };
  const { uses, problems } = namedUses(object);
  const references = mergeUses([...configUses(templateOf(object)), ...uses]);
  return {
    // Without their salt, recorded digests mean nothing: what is seen next is the baseline.
    tracking:
      salt === undefined
        ? { references, salt: null, deployed: {}, versions: {} }
        : { references, salt, deployed: digests, versions: resourceVersions },
    problems: problems.slice(0, maxProblems),
  };
}

interface Named {
  readonly uses: readonly ConfigUse[];
  readonly problems: readonly Problem[];
}

/** Parses `configmap/name,secret/name`. */
function namedUses({ metadata }: BuiltInObject): Named {
  const parsed = parseCommaList(metadata.annotations?.[annotations.configDependencies]).map(parseEntry);
  return {
    uses: parsed.filter((one) => "kind" in one),
    problems: parsed.filter((one) => "code" in one),
  };
}

/** The name of an object: RFC 1123. */
const entryPattern = /^(configmap|secret)\/([a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?)$/;

const usage = "is not configmap/NAME or secret/NAME";

function parseEntry(entry: string): ConfigUse | Problem {
  const [, kind, name] = entryPattern.exec(entry) ?? [];
  if (kind === undefined || name === undefined)
    return fieldProblem(annotations.configDependencies, "InvalidValue", usage, truncate(entry));
  return { kind: kind === "secret" ? "secret" : "configmap", name, key: null, isOptional: false, isNamed: true };
}
