import { parseRollback } from "../parse-fields.ts";
import type { PolicyField } from "../policy-field.ts";

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
