import { countNoun } from "../../text/count-noun.ts";
import { liftBackOff } from "../update/back-off.ts";
import { replaceTag, tagOf } from "../../image/reference.ts";
import { validateTag } from "../../image/grammar.ts";
import { describeStep, isContinuedByPromotion } from "../canary/progress.ts";
import { newestFailed } from "../decision/decide-by-tag.ts";
import { chooseRelease } from "../release/choose-release.ts";
import { runningImage } from "../record/current-version.ts";
import { recordReset } from "../record/update-record.ts";
import { higherVersion } from "../../version/compare-tags.ts";
import { versioningOf } from "../policy/versioning.ts";
import { describeAnswer, formatRefusal, isRefused, type PersonRequest } from "./person-request.ts";
import { restartRefusal, restartTarget } from "./restart-request.ts";
import { describeAnyTarget, nameTarget } from "../target/describe-target.ts";
import type { Decision } from "../decision/decision.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Change } from "../update/change.ts";
import type { Workload } from "../workload.ts";
import { describeProblems } from "../policy/problem.ts";

const usage =
  "use promote [full], abort, reset, reset failed, push VERSION, rollback [RELEASE], restart or retry [VERSION], and a token";

/** Returns what a person requests for the update in flight; null if there is none or no such request. Only a canary is promoted. */
export function requestedVerdict(request: PersonRequest | null, inFlight: Workload["inFlight"]): Workload["verdict"] {
  if (inFlight === null || inFlight.phase === "rollback" || inFlight.execution === null || request === null)
    return null;
  const { verb, argument } = request;
  if (argument === null && abortVerbs[inFlight.phase].includes(verb)) return "abort";
  if (inFlight.phase !== "canary") return null;
  if (verb === "promote" && argument === "full") return "promote";
  if (argument !== null) return null;
  return verb === "promote" ? "continue" : null;
}

/** What ends an update before its end. A rollback without a release is one of the version in flight. */
const abortVerbs: Readonly<Record<Exclude<InFlight["phase"], "rollback">, readonly string[]>> = {
  canary: ["abort", "rollback"],
  rollout: ["abort", "rollback"],
  restart: ["abort"],
  release: ["abort"],
};

/** Returns why a canary in flight is not continued by a request of a person; null if it is, or nobody asked for that. */
function notPausedReason({ inFlight, canaryProgress }: Workload, request: PersonRequest | null): string | null {
  if (requestedVerdict(request, inFlight) !== "continue" || isContinuedByPromotion({ canaryProgress })) return null;
  const step = canaryProgress === null ? "" : ` at step ${describeStep(canaryProgress)}`;
  return `the canary is not paused${step}; use pawl promote --full to update all replicas now`;
}

/** Returns the answer to a request to continue a canary that is not paused; null if there is none. Later it would continue a pause. */
export function refusePromotion(workload: Workload): Pick<Change, "answer"> | null {
  const { request } = workload;
  const reason = notPausedReason(workload, request);
  if (request === null || reason === null) return null;
  return { answer: { token: request.token, verb: request.verb, result: formatRefusal(reason) } };
}

type Requested = Extract<Decision, { readonly kind: "update" | "request" }>;

/**
 * Decides about the request of a person; null if there is none to decide about now. The execution in flight
 * handles `promote` of a canary and `abort` itself.
 */
export function decideRequest(workload: Workload): Requested | null {
  const { request, inFlight, source } = workload;
  if (request === null) return null;
  if (requestedVerdict(request, inFlight) !== null) return null;
  const { verb, argument: version } = request;
  if (verb === "rollback") return decideRollback(workload, request);
  if (verb === "restart") return decideRestart(workload, request);
  const isAnswered = verb !== "push" || pushRefusal(workload, version) !== null;
  if (isAnswered || version === null || source === null) return { kind: "request", ...request };
  return { kind: "update", target: { kind: "image", image: replaceTag(source, version) }, isRequested: true };
}

function decideRollback(workload: Workload, request: PersonRequest): Requested {
  const chosen = chooseRelease(workload, request.argument);
  if (chosen.kind === "refused") return { kind: "request", ...request };
  const { number, image } = chosen.release;
  return { kind: "update", target: { kind: "release", image, number }, isRequested: true };
}

function decideRestart(workload: Workload, request: PersonRequest): Requested {
  const { image } = workload;
  if (image === null || restartRefusal(workload, request.argument) !== null) return { kind: "request", ...request };
  return { kind: "update", target: restartTarget(image, request), isRequested: true };
}

/** Returns why a version must not be pushed; null if it may. A circuit, a hold or an earlier failure does not keep a person from it. */
export function pushRefusal(workload: Workload, version: string | null): string | null {
  const { inFlight, policy, problems, source } = workload;
  if (version === null) return `no version is given; ${usage}`;
  if (policy.optIn === "no") return "auto-update is disabled; set pawl.dev/auto-update=true";
  if (source === null) return "the workload tracks no tag; see pawl explain";
  const invalid = validateTag(version);
  if (invalid !== null) return `"${version}": ${invalid.reason}`;
  if (problems.length > 0) return describeProblems(problems);
  if (inFlight === null)
    return tagOf(runningImage(workload) ?? "") === version
      ? `${version} is already running; use pawl restart to recreate its pods`
      : null;
  // What it restored, or has to revert, is a whole pod template, which no update may write.
  if (inFlight.release !== undefined)
    return `a rollback to release ${inFlight.release.number} is in flight; use pawl abort to end it`;
  if (inFlight.git !== undefined)
    return `${describeAnyTarget(inFlight.target)} is in flight, and written to git; use pawl abort to end it first`;
  // A person's push of another version ends an update in flight.
  const { target } = inFlight;
  const isTarget = inFlight.phase !== "rollback" && tagOf(target.image) === version;
  return isTarget ? `${describeAnyTarget(target)} is in flight; use pawl status to watch it` : null;
}

/** Returns why a request would be refused; null if it would not. */
export function requestRefusal(workload: Workload, request: PersonRequest): string | null {
  if (requestedVerdict(request, workload.inFlight) !== null) return notPausedReason(workload, request);
  if (request.verb === "push") return pushRefusal(workload, request.argument);
  if (request.verb === "rollback") {
    const chosen = chooseRelease(workload, request.argument);
    return chosen.kind === "refused" ? chosen.reason : null;
  }
  if (request.verb === "restart") return restartRefusal(workload, request.argument);
  const { answer } = answerRequest(workload, request);
  return answer !== undefined && isRefused(answer) ? describeAnswer(answer) : null;
}

/** Returns what a request changes, and how it ends. */
export function answerRequest(workload: Workload, { verb, argument, token }: PersonRequest): Change {
  const answer = (result: string): Change => ({ answer: { token, verb: verb || "unknown", result } });
  const refuse = (reason: string): Change => answer(formatRefusal(reason));
  switch (verb) {
    case "promote":
    case "abort":
      if (argument !== null && `${verb} ${argument}` !== "promote full")
        return refuse(`${verb} ${argument} is not a request; ${usage}`);
      if (verb === "abort" && workload.inFlight?.phase === "rollback")
        return refuse("it is being rolled back already; use pawl status to watch it");
      return refuse(
        verb === "abort"
          ? "no update is in flight; use pawl rollback to restore an earlier release"
          : "no canary is in flight; use pawl push to start an update",
      );
    case "reset": {
      if (argument !== null && argument !== "failed") return refuse(`reset ${argument} is not a request; ${usage}`);
      const done = describeReset(workload, argument === "failed");
      if (done.length === 0) return refuse("there is nothing to reset; use pawl retry to try failed versions again");
      return { ...recordReset(argument === "failed"), ...liftBackOff(workload), ...answer(done.join(", ")) };
    }
    case "push":
      return refuse(pushRefusal(workload, argument) ?? `${argument} was not applied; ask again`);
    case "rollback": {
      const chosen = chooseRelease(workload, argument);
      return refuse(chosen.kind === "refused" ? chosen.reason : "it was not rolled back; ask again");
    }
    case "restart":
      return refuse(restartRefusal(workload, argument) ?? "it was not restarted; ask again");
    case "retry":
      if (workload.source === null && workload.digests === null && workload.config === undefined)
        return refuse("no version is tracked; change the image in the spec to try it again");
      return { ...retry(workload, argument), ...answer(describeRetry(workload, argument)) };
    case "repeated":
      return refuse("it was handled before; write it with another token");
    default:
      return refuse(`not a request; ${usage}`);
  }
}

/** Returns what a reset does to this record; empty if there is nothing to reset. */
function describeReset({ updateRecord, backOff }: Workload, forgetFailed: boolean): string[] {
  const { circuitOpen, rollbackCount, failedVersions } = updateRecord;
  return [
    ...(circuitOpen ? ["circuit closed"] : []),
    ...(rollbackCount > 0 ? [`${countNoun(rollbackCount, "failed attempt")} no longer counted`] : []),
    ...(backOff === null ? [] : [`${nameTarget(backOff.target)} is tried again at once`]),
    ...(forgetFailed && failedVersions.length > 0 ? [`forgot that ${failedVersions.join(", ")} failed`] : []),
  ];
}

/**
 * Forgets failed versions and, while idle, takes the running version for the current one, so that a newer one is applied again.
 * Counters and the circuit stay: `reset` is for these.
 */
function retry(workload: Workload, version: string | null): Change {
  const { failedVersions, currentVersion } = workload.updateRecord;
  const kept = version === null ? [] : failedVersions.filter((failed) => failed !== version);
  const running = tagOf(runningImage(workload) ?? "");
  const isHeld = workload.inFlight === null && running !== "" && running !== currentVersion;
  return {
    updateRecord: {
      failedVersions: kept,
      ...(isHeld ? { currentVersion: running } : {}),
      ...(workload.updateRecord.minimumVersion === null ? {} : { minimumVersion: null }),
    },
    ...liftBackOff(workload),
    lastReported: { held: null },
  };
}

/** Describes what is tried after a retry. Another version that failed may hold the one that a person asked for. */
function describeRetry(workload: Workload, version: string | null): string {
  if (version === null) return "every newer version is tried again";
  const { failedVersions } = workload.updateRecord;
  const kept = failedVersions.filter((failed) => failed !== version);
  const newest = newestFailed({ ...workload, updateRecord: { ...workload.updateRecord, failedVersions: kept } });
  const hadFailed = failedVersions.includes(version);
  if (newest === null || higherVersion(newest, version, versioningOf(workload.policy)) !== newest)
    return hadFailed ? `${version} is tried again` : `${version} had not failed; newer versions are tried again`;
  const why = `${newest} failed too, and only a newer version is tried; use retry without a version to allow all`;
  return hadFailed ? `${version} is not tried yet: ${why}` : `${version} had not failed, but ${why}`;
}
