import { parseDays } from "../../../text/duration.ts";
import { parseRollback, parseWord } from "../parse-fields.ts";
import type { PolicyField, WrittenField } from "../policy-field.ts";
import { laterOf, longer } from "../stricter.ts";

/** What restarts a workload besides a newer tag. */
export const restartFields = {
  rollbackTo: {
    annotation: "pawl.dev/rollback-to",
    path: "digest.rollbackTo",
    type: "string",
    maxLength: 16,
    label: "rolls back to",
    description:
      "digest pins the previous digests after a restart that did not become ready. Default image: nothing is restored.",
    parse: ({ text, report }) => ({ rollsBackDigests: parseRollback(text, report) }),
  },
  restartOnConfigChange: {
    annotation: "pawl.dev/restart-on-config-change",
    path: "restartOnConfigChange",
    type: "boolean",
    label: "restarted by its configuration",
    description:
      "true restarts the workload if the content of a ConfigMap or Secret changes that its pod template uses. Default false.",
  },
  configDependencies: {
    annotation: "pawl.dev/config-dependencies",
    path: "configDependencies",
    type: "list",
    maxLength: 32_768,
    label: "restarted by",
    description: "ConfigMaps and Secrets that restart it too, as configmap/NAME or secret/NAME. Default: none.",
  },
  settleTime: {
    annotation: "pawl.dev/settle-time",
    path: "settleTime",
    type: "string",
    maxLength: 64,
    label: "settles for",
    description:
      "How long the configuration must not change before it restarts the workload: days and a Go duration up to 1d. Counted from the first " +
      "poll that has seen the content. Default 30s.",
    parse: ({ text, report }) => optional("settleSeconds", parseTime(text, 1, report)),
    stricter: longer,
  },
  minimumInterval: {
    annotation: "pawl.dev/minimum-interval",
    path: "minimumInterval",
    type: "string",
    maxLength: 64,
    label: "time between restarts",
    description:
      "The configuration restarts the workload at most once in this time: days and a Go duration up to 7d. Default 5m.",
    parse: ({ text, report }) => optional("minimumIntervalSeconds", parseTime(text, 7, report)),
    stricter: longer,
  },
  restartsInWindows: {
    annotation: "pawl.dev/restarts-in-windows",
    path: "restartsInWindows",
    type: "boolean",
    maxLength: 16,
    label: "restarted in windows only",
    description: "true: a restart for the configuration waits for the windows, as updates do. Default false.",
    // Anything but "false" waits: a misspelt value must not let a restart through.
    parse: ({ text, report }) =>
      parseWord(text, ["true", "false"], "false", report, "true") === "true" ? { restartsInWindows: true } : {},
    stricter: laterOf("false", "true"),
  },
} as const satisfies Readonly<Record<string, PolicyField>>;

/** Digests of tags, with the annotations of kubernetes-image-updater. */
export const digestFields = {
  digest: {
    annotation: "image-updater.eznix86.github.io/enabled",
    path: "digest",
    type: "presence",
    label: "restarted by digest",
    description:
      "Present, even if empty: restart the workload if a tag that it runs resolves to another digest. Default: digests are not tracked.",
  },
  digestOnly: {
    annotation: null,
    path: "digest.only",
    type: "boolean",
    label: "digests only",
    description: "true tracks digests only, and does not look for newer tags. Default false.",
  },
  digestContainers: {
    annotation: "image-updater.eznix86.github.io/track-containers",
    path: "digest.containers",
    type: "list",
    maxLength: 8192,
    label: "containers by digest",
    description: "The containers to track by digest. Default: all.",
  },
  digestIgnoreContainers: {
    annotation: "image-updater.eznix86.github.io/ignore-containers",
    path: "digest.ignoreContainers",
    type: "list",
    maxLength: 8192,
    label: "containers not by digest",
    description: "Containers that are not tracked by digest; ignored if containers names any. Default: none.",
  },
  digestInitContainers: {
    annotation: "image-updater.eznix86.github.io/track-init-containers",
    path: "digest.initContainers",
    type: "boolean",
    label: "init containers by digest",
    description: "true tracks init containers too. Default false.",
  },
} as const satisfies Readonly<Record<string, PolicyField>>;

type Report = WrittenField["report"];

function optional<Name extends "settleSeconds" | "minimumIntervalSeconds">(
  name: Name,
  seconds: number | null,
): { readonly [name in Name]?: number } {
  return seconds === null ? {} : ({ [name]: seconds } as { readonly [name in Name]: number });
}

/** null if it is not written, or invalid. */
function parseTime(text: string | undefined, maxDays: number, report: Report): number | null {
  if (text === undefined || text.trim() === "") return null;
  const parsed = parseDays(text.trim());
  if (parsed.kind === "duration" && parsed.seconds <= maxDays * 86_400) return parsed.seconds;
  report(parsed.kind === "invalid" ? parsed.reason : `must be at most ${maxDays}d`);
  return null;
}
