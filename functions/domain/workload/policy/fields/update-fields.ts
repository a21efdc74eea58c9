import { formatDuration } from "../../../text/duration.ts";
import { parseCommaList } from "../../../text/comma-list.ts";
import { parseSchedule } from "../../../schedule/schedule.ts";
import { parseConstraint } from "../../../version/constraint.ts";
import type { OnFailure } from "../../../version/select-tag.ts";
import { parseTagPattern } from "../../../version/tag-pattern.ts";
import { parseVariants } from "../../../version/variants.ts";
import * as parsers from "../parse-fields.ts";
import type { PolicyField } from "../policy-field.ts";
import { laterOf, replaced } from "../stricter.ts";
import { versioningOf } from "../versioning.ts";

type Formatted = Parameters<NonNullable<PolicyField["format"]>>[0];

/** The owner of a StatefulCanary sets each image, so it has neither tags nor a circuit. */
const unlessStatefulCanary = ({ ref }: Formatted, value: string) => (ref.kind === "StatefulCanary" ? null : value);

const afterFailure = {
  hold: "waits for a version newer than the one that failed",
  tryOlder: "tries older versions",
} as const satisfies Record<OnFailure, string>;

/** What is updated to, when, and until when it must be ready. */
export const updateFields = {
  autoUpdate: {
    annotation: "pawl.dev/auto-update",
    path: "",
    type: "presence",
    label: "enabled",
    description:
      "What to update to, and when. If it is present, even if it is empty, you own this object: Pawl never deletes it, and the annotations " +
      "of the workload must not opt in too. If it is absent, Pawl created this object, and the annotations of the workload are the policy.",
    format: ({ policy }) => policy.optIn,
  },
  paused: {
    annotation: "pawl.dev/paused",
    path: null,
    type: "boolean",
    maxLength: 16,
    label: "paused",
    description: "true starts no new update. One in flight continues. Default false.",
    parse: ({ text, isTooLong, report }) => ({ paused: isTooLong || parsers.parsePaused(text, report) }),
    format: ({ policy }) => (policy.paused ? "yes" : null),
  },
  versionConstraint: {
    annotation: "pawl.dev/version-constraint",
    path: "versionConstraint",
    type: "string",
    maxLength: 1024,
    label: "version constraint",
    description:
      'The versions to update to, in the syntax of Masterminds/semver v3, such as "^1.2". Default: every version that is not a pre-release.',
    parse: ({ text, report }) => ({ versionConstraint: parsers.checkField(text, parseConstraint, report) }),
    format: (workload) =>
      unlessStatefulCanary(workload, workload.policy.versionConstraint ?? "every release that is no pre-release"),
  },
  versioning: {
    annotation: "pawl.dev/versioning",
    path: "versioning",
    type: "string",
    maxLength: 16,
    label: "versioning",
    description:
      "How tags are read. container: a version, a revision and a variant, as in 1.25.3-alpine; the variant is kept. semver: the whole tag " +
      "is a version of Masterminds/semver v3, so that -alpine is a pre-release. Default container.",
    parse: ({ text, rules, report }) => ({ versioning: rules.versioning ?? parsers.parseVersioning(text, report) }),
    format: (workload) => unlessStatefulCanary(workload, versioningOf(workload.policy)),
  },
  variant: {
    annotation: "pawl.dev/variant",
    path: "variant",
    type: "list",
    maxLength: 1024,
    label: "variant",
    description:
      "Globs of the variants to choose from, such as alpine*. Not with versioning semver. Default: the variant of the running tag.",
    parse: ({ text, report }) => ({ variant: parsers.checkField(text, parseVariants, report) }),
  },
  tagPattern: {
    annotation: "pawl.dev/tag-pattern",
    path: "tagPattern",
    type: "string",
    maxLength: 1024,
    label: "tag pattern",
    description: "A regular expression (RE2) that a tag must match. Default: every tag.",
    parse: ({ text, report }) => ({ tagPattern: parsers.checkField(text, parseTagPattern, report) }),
  },
  pin: {
    annotation: "pawl.dev/pin",
    path: "pin",
    type: "string",
    maxLength: 16,
    label: "pin",
    description:
      '"digest" writes a new image as tag@digest, "tag" without a digest. "auto" keeps the form of the image that runs. Default: auto.',
    parse: ({ text, report }) => parsers.parsePin(text, report),
    stricter: laterOf("tag", "auto", "digest"),
    format: ({ policy }) => policy.pin ?? null,
  },
  writeTo: {
    annotation: "pawl.dev/write-to",
    path: "writeTo",
    type: "string",
    maxLength: 64,
    label: "written to",
    description:
      "git commits a new image to the repository of the deployment, in place of a patch of the workload; git/NAME to the one of this " +
      "name. Its controller, such as Argo CD or Flux, brings it to the cluster. Default: the workload is patched.",
    parse: ({ text, report }) => parsers.parseWriteTo(text, report),
    format: ({ policy }) => (policy.writeTo === undefined ? null : `git/${policy.writeTo}`.replace(/\/$/, "")),
  },
  schedule: {
    annotation: "pawl.dev/schedule",
    path: "schedule",
    type: "string",
    maxLength: 256,
    label: "schedule",
    description:
      "When to look for updates, in the syntax of cron with five fields, @daily, or @every 1h; UTC unless it begins with CRON_TZ=. " +
      "Default: at every poll.",
    parse: ({ text, rules, report }) => ({
      schedule: parsers.checkField(text, parseSchedule, report) ?? rules.defaultSchedule,
    }),
    stricter: replaced,
    format: (workload) => unlessStatefulCanary(workload, workload.policy.schedule ?? "every poll"),
  },
  healthTimeout: {
    annotation: "pawl.dev/health-timeout",
    path: "healthTimeout",
    type: "string",
    maxLength: 64,
    label: "health timeout",
    description:
      "How long an update may take to become ready before it is rolled back: a Go duration from 1s to 24h. Default 10m.",
    parse: ({ text, rules, report }) => ({ healthTimeoutSeconds: parsers.parseHealthTimeout(text, rules, report) }),
    format: ({ policy }) => formatDuration(policy.healthTimeoutSeconds),
  },
  maxRollbacks: {
    annotation: "pawl.dev/max-rollbacks",
    path: "maxRollbacks",
    type: "integer",
    maxLength: 16,
    label: "rollbacks that open the circuit",
    description: "How many rollbacks in a row open the circuit: 1 to 999999. Default 3.",
    parse: ({ text, rules, report }) => ({
      maxRollbacks: parsers.parseMaxRollbacks(text, rules.allowsZeroRollbacks === true, report),
    }),
    format: (workload) => unlessStatefulCanary(workload, String(workload.policy.maxRollbacks)),
  },
  maxRestarts: {
    annotation: "pawl.dev/max-restarts",
    path: "maxRestarts",
    type: "integer",
    maxLength: 16,
    label: "restarts allowed",
    description:
      "How often the containers of a pod may exit after it was first ready, until its update is over: 0 to 100. One exit more fails the " +
      "update at once. Default 3.",
    parse: ({ text, report }) => ({ maxRestarts: parsers.parseMaxRestarts(text, report) }),
    format: ({ policy, ref }) => (ref.kind === "Claw" ? null : String(policy.maxRestarts)),
  },
  onFailure: {
    annotation: "pawl.dev/on-failure",
    path: "onFailure",
    type: "string",
    maxLength: 16,
    label: "after a failure",
    description:
      "What follows a version that failed. hold: nothing, until a version appears that is newer than every one that failed. " +
      "tryOlder: the highest version that has not failed. Default hold.",
    parse: ({ text, rules, report }) => ({
      onFailure: parsers.parseWord(text, ["hold", "tryOlder"], rules.defaultOnFailure ?? "hold", report),
    }),
    format: (workload) => unlessStatefulCanary(workload, afterFailure[workload.policy.onFailure]),
  },
  containers: {
    annotation: "pawl.dev/containers",
    path: "containers",
    type: "list",
    maxLength: 8192,
    label: "containers",
    description:
      "The containers to update; the first one's image is tracked. They must run one image. Default: the first container, and every " +
      "other one with the same image.",
  },
  podPause: {
    annotation: "pawl.dev/pod-pause",
    path: "podPause",
    type: "string",
    maxLength: 64,
    label: "pause after each pod",
    description:
      "How long Pawl waits after each pod that it replaces in a StatefulSet or DaemonSet with the update strategy OnDelete: a Go " +
      "duration from 0s to 1h. Default: 2s.",
    parse: ({ text, report }) => ({ podPauseSeconds: parsers.parseDelay(text, parsers.podPause, report) }),
  },
  keepReleases: {
    annotation: "pawl.dev/keep-releases",
    path: "keepReleases",
    type: "integer",
    maxLength: 16,
    label: "releases kept",
    description: "How many releases are kept in the status. Default 10.",
    parse: ({ text, report }) => parsers.parseKeepReleases(text, report),
  },
  notify: {
    annotation: "pawl.dev/notify",
    path: "notify",
    type: "list",
    maxLength: 1024,
    label: "notified",
    description:
      "Names of targets of the deployment that are notified of the events of this workload, besides those that are notified of all. " +
      "One that does not exist is reported, and delays nothing. Default: none.",
    parse: ({ text }) => ({ notify: parseCommaList(text) }),
  },
} as const satisfies Readonly<Record<string, PolicyField>>;
