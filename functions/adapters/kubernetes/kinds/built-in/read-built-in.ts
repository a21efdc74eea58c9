import { annotations, restartedAtAnnotation } from "../../../../domain/workload/policy/annotations.ts";
import { readApprovals } from "../../../../domain/gates/approval.ts";
import { readOverrides } from "../../../../domain/gates/override.ts";
import { parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { parseRequest } from "../../../../domain/workload/request/person-request.ts";
import { requestedVerdict } from "../../../../domain/workload/request/request.ts";
import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import { withDefaults } from "../../../../domain/workload/policy/defaults.ts";
import type { Workload } from "../../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../../api.ts";
import { fromAnalysisStatus } from "../../auto-update/status/analysis-status.ts";
import { fromCanaryStatus } from "../../auto-update/status/canary-status.ts";
import { readState, reportedProblem } from "../../auto-update/conditions.ts";
import { fromGateStatus } from "../../auto-update/status/gate-status.ts";
import { fromBackOffStatus } from "../../auto-update/status/back-off-status.ts";
import type { AutoUpdate } from "../../auto-update/object.ts";
import type { AutoUpdateStatus, UpdateStatus } from "../../auto-update/status/status-fields.ts";
import { optInConflicts, readRawPolicy } from "../../auto-update/policy.ts";
import { readReleases } from "../../auto-update/status/release-status.ts";
import { handledTokens, readUpdateRecord } from "../../auto-update/status/status.ts";
import { apiVersionOf } from "../../objects.ts";
import { readBuiltInPolicy } from "./built-in-policy.ts";
import { type BuiltInKind, type BuiltInSettings, rolloutOf } from "./built-in-kind.ts";
import { observeClaim, readClaim } from "../record/claim-state.ts";
import { readConfigTracking } from "./config-tracking.ts";
import { primaryContainer, containerProblems } from "../pod-template/container.ts";
import { nodePlatforms } from "../pod-template/node-platforms.ts";
import { pinnedContainers, readDigestTracking } from "../digest/digest-tracking.ts";
import {
  type BuiltInObject,
  hashRelease,
  hashTemplate,
  rawPolicyOf,
  templateOf,
} from "../pod-template/pod-template.ts";
import { readCanary } from "../canary/read-canary.ts";
import { unknownAnnotationProblems } from "../../../../domain/workload/policy/unknown-annotations.ts";
import { hasRevisions } from "../pod-template/revisions.ts";
import { isTrackedByTag, readOwnRecords } from "../record/own-records.ts";
import { recordSource } from "../record/record-source.ts";
import type { Problem } from "../../../../domain/workload/policy/problem.ts";

/** Reads a workload, joined to its AutoUpdate. */
export async function readBuiltIn<T extends BuiltInObject>(
  original: T,
  kind: BuiltInKind<T>,
  settings: BuiltInSettings,
  api: KubernetesApi,
  stored: AutoUpdate | null,
): Promise<Workload> {
  const object = configured(original, stored);
  const { namespace, name, uid, resourceVersion } = object.metadata;
  const { problems, ...configuration } = readConfiguration(object, kind, settings, stored);
  const { policy } = configuration;
  const claimed = readClaim(object, stored?.status?.update, policy.optIn !== "no");
  const { autoUpdate, ...records } = readOwnRecords(object, stored, claimed);
  const { status = {} } = autoUpdate ?? {};
  const inFlight = await readInFlight(object, claimed, status, kind, api);
  const updateRecord = readUpdateRecord(status);
  const rollout = { ...rolloutOf(object, kind), ...(inFlight === null ? {} : readTemplate(object, status.update)) };
  const hasCanary = status.update?.hasCanary === true;
  const known = { object, kind, policy, inFlight, updateRecord, rollout, hasCanary };
  const { obstacle, ...canary } = await readCanary(known, api);
  const nodes = nodePlatforms(templateOf(object));
  const unsupported = unsupportedProblems(object, kind, inFlight, obstacle);
  return {
    ref: { apiVersion: apiVersionOf(kind.resource), kind: kind.resource.kind, namespace, name, uid },
    resourceVersion,
    record: recordSource(stored, claimed, settings, records),
    ...configuration,
    problems: [
      ...[original, autoUpdate].flatMap((one) => unknownAnnotationProblems(one?.metadata.annotations ?? {})),
      ...optInConflicts(original, stored),
      ...problems,
      ...unsupported,
    ],
    requestedImage: null,
    restartedAt: parseRfc3339(templateOf(object).metadata?.annotations?.[restartedAtAnnotation] ?? ""),
    ...(nodes === undefined ? {} : { nodes }),
    isPinnedByPawl: isPinned(object, status),
    pull: pullSources(object),
    inFlight,
    updateRecord,
    ...readReleaseState(object, kind, settings, status),
    backOff: fromBackOffStatus(status.backOff),
    rollout,
    failsWithoutPods: false,
    ...canary,
    canaryProgress: fromCanaryStatus(status.canary),
    analysis: fromAnalysisStatus(status.analysis),
    ...readReports(autoUpdate, inFlight),
  };
}

/** Returns the object with the policy that is written for it. */
export function configured<T extends BuiltInObject>(object: T, autoUpdate: AutoUpdate | null): T {
  return { ...object, rawPolicy: readRawPolicy(object, autoUpdate) };
}

type Configuration = Pick<Workload, "policy" | "rawPolicy" | "problems" | "source" | "image" | "digests" | "config">;

/** Reads what its owner configured, and the image that is tracked. */
function readConfiguration<T extends BuiltInObject>(
  object: T,
  kind: BuiltInKind<T>,
  settings: BuiltInSettings,
  autoUpdate: AutoUpdate | null,
): Configuration {
  const { status = {} } = autoUpdate ?? {};
  const raw = withDefaults(rawPolicyOf(object), object.metadata.namespace ?? "", settings.defaults ?? []);
  const image = primaryContainer(object)?.image ?? null;
  const isByTag = isTrackedByTag(object);
  const { policy, problems } = readBuiltInPolicy(
    raw,
    object.metadata.annotations ?? {},
    typeof kind.canary === "string" ? kind.canary : null,
    settings.hooks,
    autoUpdate !== null,
    object.metadata.namespace,
    settings.git,
  );
  const { initialDigestPolicy } = settings.digests;
  const { tracking, problems: digestProblems } = readDigestTracking(object, status.digests, initialDigestPolicy);
  const config = readConfigTracking(object, status.config ?? {});
  return {
    policy,
    rawPolicy: raw,
    problems: [
      ...problems,
      ...(isByTag || config.tracking !== null ? containerProblems(object) : []),
      ...digestProblems,
      ...config.problems,
    ],
    source: isByTag ? image : null,
    image,
    digests: tracking,
    ...(config.tracking === null ? {} : { config: config.tracking }),
  };
}

async function readInFlight<T extends BuiltInObject>(
  object: T,
  claimed: InFlight | null,
  { update }: AutoUpdateStatus,
  kind: BuiltInKind<T>,
  api: KubernetesApi,
): Promise<InFlight | null> {
  return claimed === null || update === undefined ? null : observeClaim(object, claimed, update, kind.resource, api);
}

/** A release in flight is finished, also if the deployment does not enable releases any more. */
function readReleaseState<T extends BuiltInObject>(
  object: T,
  { resource }: BuiltInKind<T>,
  settings: BuiltInSettings,
  { releases, update }: AutoUpdateStatus,
): Pick<Workload, "releases"> {
  const isRead = (settings.releases === true || update?.release !== undefined) && hasRevisions(resource);
  return isRead ? { releases: { list: readReleases(releases), hash: hashRelease(templateOf(object)) } } : {};
}

type Reports = Pick<
  Workload,
  | "request"
  | "lastRequest"
  | "verdict"
  | "lastReported"
  | "evaluated"
  | "gates"
  | "queuedSince"
  | "candidates"
  | "approvals"
  | "overrides"
  | "audit"
  | "auditedApprovals"
>;

/** Reads what a person asked for, and what was answered and reported. */
function readReports(autoUpdate: AutoUpdate | null, inFlight: InFlight | null): Reports {
  const { metadata, status = {} } = autoUpdate ?? {};
  const evaluated = readState(status);
  const request = parseRequest(metadata?.annotations?.[annotations.request], handledTokens(status), metadata?.uid);
  return {
    request,
    lastRequest: status.lastRequest ?? null,
    verdict: status.update?.verdict ?? requestedVerdict(request, inFlight),
    lastReported: { held: status.holdReason ?? null, problem: reportedProblem(status) },
    ...(evaluated === undefined ? {} : { evaluated }),
    gates: fromGateStatus(status.gates),
    queuedSince: parseRfc3339(status.queuedSince ?? ""),
    candidates: status.candidates ?? [],
    approvals: readApprovals(metadata?.annotations ?? {}, metadata?.uid),
    overrides: readOverrides(metadata?.annotations ?? {}, metadata?.uid),
    audit: status.audit ?? [],
    auditedApprovals: status.auditedApprovals ?? [],
  };
}

/** During an update, its checks compare the pod template with the one that they saw, and with the one that Pawl wrote. */
function readTemplate(object: BuiltInObject, update: UpdateStatus | undefined) {
  const template = hashTemplate(object);
  const isEdited = update?.template !== undefined && update.template !== template;
  return { template, ...(isEdited ? ({ isTemplateEdited: true } as const) : {}) };
}

function isPinned(object: BuiltInObject, { digests }: AutoUpdateStatus): boolean {
  return pinnedContainers(object, digests?.pinned).some((one) => one.name === primaryContainer(object)?.name);
}

function pullSources(object: BuiltInObject): Workload["pull"] {
  const { imagePullSecrets = [], serviceAccountName } = templateOf(object).spec;
  const secrets = imagePullSecrets.flatMap(({ name }) => (name ? [name] : []));
  return { secrets, serviceAccount: serviceAccountName || "default" };
}

function unsupportedProblems<T extends BuiltInObject>(
  object: T,
  kind: BuiltInKind<T>,
  inFlight: InFlight | null,
  obstacle: string | null,
): readonly Problem[] {
  const reasons = [kind.unsupportedReason(object, inFlight?.phase === "canary"), obstacle];
  return reasons.filter((reason) => reason !== null).map((text) => ({ field: null, code: "NotSupported", text }));
}
