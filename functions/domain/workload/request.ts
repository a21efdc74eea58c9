import { replaceTag, tagOf } from "../image/reference.ts";
import { validateTag } from "../image/grammar.ts";
import { recordReset, runningImage } from "./update-record.ts";
import type { Decision } from "./decision.ts";
import type { Change, Workload } from "./workload.ts";

/** What a person asks of Pawl: `VERB [ARGUMENT] TOKEN`. The token tells one request from the next. */
export interface PersonRequest {
  readonly verb: string;
  readonly argument: string | null;
  readonly token: string;
}

/** How a request ended. */
export interface RequestAnswer {
  readonly token: string;
  readonly verb: string;
  /** A sentence for people. */
  readonly result: string;
}

const usage = "use promote, abort, reset, push VERSION or retry [VERSION], and a token";
const maxTokenLength = 128;

/** Parses the annotation; null if it is empty, or if `handled` is its token. */
export function parseRequest(text: string | undefined, handled: string | undefined): PersonRequest | null {
  const words = text?.trim().split(/\s+/).filter(Boolean) ?? [];
  const [verb, ...rest] = words;
  if (verb === undefined) return null;
  const token = (rest.at(-1) ?? verb).slice(0, maxTokenLength);
  if (token === handled) return null;
  if (rest.length === 0 || rest.length > 2) return { verb: "", argument: null, token };
  return { verb, argument: rest.length === 2 ? (rest[0] as string) : null, token };
}

type Requested = Extract<Decision, { readonly kind: "update" | "request" }>;

/**
 * Decides about the request of a person; null if there is none to decide about now. The execution of a canary in flight
 * handles `promote` and `abort` itself.
 */
export function decideRequest(workload: Workload): Requested | null {
  const { request, inFlight } = workload;
  if (request === null) return null;
  const isForCanary = request.verb === "promote" || request.verb === "abort";
  if (isForCanary && inFlight?.phase === "canary") return null;
  const refusal = request.verb === "push" ? pushRefusal(workload, request.argument) : null;
  if (request.verb !== "push" || refusal !== null) return { kind: "request", ...request };
  const version = request.argument ?? "";
  return { kind: "update", version, image: replaceTag(workload.source ?? "", version), isRequested: true };
}

/** Returns why a version must not be pushed; null if it may. A circuit, a hold or an earlier failure does not keep a person from it. */
export function pushRefusal(workload: Workload, version: string | null): string | null {
  const { inFlight, policy, problems, source } = workload;
  if (version === null) return `push: no version is given; ${usage}`;
  if (!policy.enabled) return "push: auto-update is disabled";
  if (source === null) return "push: the workload tracks no tag";
  const invalid = validateTag(version);
  if (invalid !== null) return `push: "${version}": ${invalid.reason}`;
  if (inFlight !== null) return `push: an update to ${inFlight.targetImage} is in flight`;
  if (problems.length > 0) return `push: ${problems.join("; ")}`;
  return tagOf(runningImage(workload) ?? "") === version ? `push: ${version} is already running` : null;
}

/** Returns what a request changes, and how it ends. */
export function answerRequest(workload: Workload, { verb, argument, token }: PersonRequest): Change {
  const answer = (result: string): Change => ({ answer: { token, verb: verb || "unknown", result } });
  const { updateRecord } = workload;
  switch (verb) {
    case "promote":
    case "abort":
      return answer(`${verb}: no canary is in flight`);
    case "reset":
      return { ...recordReset(false), ...answer("the circuit is closed, and counting starts again") };
    case "push":
      return answer(pushRefusal(workload, argument) ?? `push: ${argument} is applied`);
    case "retry":
      return { ...retry(workload, argument), ...answer(describeRetry(updateRecord.failedVersions, argument)) };
    default:
      return answer(`not a request; ${usage}`);
  }
}

/** Forgets failed versions, and takes the running version for the current one, so that a newer one is applied again. */
function retry(workload: Workload, version: string | null): Change {
  const { failedVersions, currentVersion } = workload.updateRecord;
  const kept = version === null ? [] : failedVersions.filter((failed) => failed !== version);
  const running = tagOf(runningImage(workload) ?? "");
  const isHeld = running !== "" && running !== currentVersion;
  return {
    updateRecord: { failedVersions: kept, ...(isHeld ? { currentVersion: running } : {}) },
    lastReported: { held: null },
  };
}

function describeRetry(failedVersions: readonly string[], version: string | null): string {
  if (version === null) return "every newer version is tried again";
  return failedVersions.includes(version)
    ? `${version} is tried again`
    : `${version} had not failed; newer versions are tried again`;
}
