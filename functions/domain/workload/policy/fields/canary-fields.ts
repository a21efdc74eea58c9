import { parseTemplateReference } from "../../../analysis/template-reference.ts";
import { formatDuration } from "../../../text/duration.ts";
import { parseHooks } from "../../hook/parse-hooks.ts";
import { parseDelay, parseWord, scaleDownDelay } from "../parse-fields.ts";
import type { PolicyField } from "../policy-field.ts";

/** What runs and is measured before, during and after an update. */
export const canaryFields = {
  canary: {
    annotation: "pawl.dev/canary",
    path: "canary",
    type: "string",
    maxLength: 16,
    label: "canary",
    description:
      "Replicas that run the target first: a number, or a percentage from 1% to 99%. Default: none. " +
      "Not for a CronJob; for a DaemonSet with the update strategy OnDelete only.",
    format: ({ policy }) => (policy.canary === null || policy.canarySteps.length > 0 ? null : "one step"),
  },
  canarySteps: {
    annotation: "pawl.dev/canary-steps",
    path: "canarySteps",
    type: "json",
    maxLength: 65_536,
    label: "canary",
    description:
      "The steps of a canary, instead of canary. A step with a size runs the target on this number of replicas, and measures it if " +
      "there is an analysis. A pause waits. Default: the one step of canary.",
    format: ({ policy: { canarySteps: steps } }) =>
      steps.length === 0 ? null : steps.length === 1 ? "one step" : `${steps.length} steps`,
  },
  onNewVersion: {
    annotation: "pawl.dev/on-new-version",
    path: "onNewVersion",
    type: "string",
    maxLength: 16,
    label: "newer version during a canary",
    description:
      "What a version does that appears during a canary of an older one. supersede: it takes its place, unless the canary waits for a " +
      "person. wait: it waits until the canary has ended, or its pods fail. Default supersede.",
    // Anything but "supersede" waits: a misspelt value must not end a canary.
    parse: ({ text, report }) => {
      const onNewVersion = parseWord(text, ["supersede", "wait"], "supersede", report, "wait");
      return onNewVersion === "wait" ? { onNewVersion } : {};
    },
  },
  baseline: {
    annotation: "pawl.dev/canary-baseline",
    path: "baseline",
    type: "string",
    maxLength: 16,
    label: "canary baseline",
    description:
      "What the canary of a Deployment is compared with. stable: the stable pods. sameAge: pods of the running image that start with " +
      "it, in a second Deployment NAME-baseline. Default stable.",
    // Anything but "stable" is a baseline: a misspelt value must not compare with other pods than before.
    parse: ({ text, report }) => {
      const baseline = parseWord(text, ["stable", "sameAge"], "stable", report, "sameAge");
      return baseline === "sameAge" ? { baseline } : {};
    },
    format: ({ policy: { baseline } }) => (baseline === undefined ? null : "same age"),
  },
  scaleDownDelay: {
    annotation: "pawl.dev/scale-down-delay",
    path: "scaleDownDelay",
    type: "string",
    maxLength: 64,
    label: "scale-down delay",
    description:
      "How long the canary of a Deployment serves on once it is promoted and all new pods are available: a Go duration from 0s to 10m. " +
      "Default 30s.",
    parse: ({ text, report }) => ({ scaleDownDelaySeconds: parseDelay(text, scaleDownDelay, report) }),
    format: ({ ref, policy }) =>
      ref.kind === "Deployment" && policy.canary !== null ? formatDuration(policy.scaleDownDelaySeconds) : null,
  },
  analysis: {
    annotation: "pawl.dev/canary-analysis",
    path: "analysis",
    type: "string",
    maxLength: 65_536,
    // A canary in flight must not be promoted without it.
    keepsLongValue: true,
    label: "analysis",
    description:
      "What decides about a canary that is ready, and about an update after all replicas are ready: the name of a ConfigMap with the " +
      "key analysis.yaml, a template of Argo Rollouts as AnalysisTemplate/NAME, the analysis itself, or a list of these. Default: that it is ready.",
    parse: ({ text }) => ({ analysis: text?.trim() || null }),
    format: ({ policy: { analysis } }) =>
      analysis === null ||
      /^[a-z0-9.-]+$|^\[[a-z0-9.,"' -]+\]$/.test(analysis) ||
      parseTemplateReference(analysis) !== null
        ? analysis
        : "written in place",
  },
  bakeTime: {
    annotation: "pawl.dev/bake-time",
    path: "bakeTime",
    type: "string",
    maxLength: 64,
    label: "bake time",
    description:
      "How long an update is watched after all replicas are ready: a Go duration from 1s to 24h. It is rolled back if a metric of the " +
      "analysis fails, or if pods are not ready for the health timeout. Default: none with a canary; otherwise until the analysis has " +
      "completed, if there is one.",
    format: ({ policy: { bake } }) =>
      bake === null ? null : bake.seconds === null ? "as long as the analysis" : formatDuration(bake.seconds),
  },
  hooks: {
    annotation: "pawl.dev/hooks",
    path: "hooks",
    type: "json",
    maxLength: 4096,
    label: "hooks",
    description: "Jobs that run around updates. Needs a deployment that enables hooks. Default: none.",
    parse: ({ value, report }) => ({ hooks: parseHooks(value, report) }),
    format: ({ policy: { hooks } }) =>
      (["pre", "pre-promotion", "post"] as const)
        .flatMap((stage) => (hooks[stage] ? [`${stage}: ${hooks[stage].job}`] : []))
        .join(", ") || null,
  },
} as const satisfies Readonly<Record<string, PolicyField>>;
