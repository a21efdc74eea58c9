import { applied } from "./apply-update.ts";
import { superseded } from "./wait-result.ts";
import type { Ports } from "../../contract/ports.ts";
import type { StepInput, TaskOutput } from "../../contract/workload-update.ts";
import type { VerificationOutcome } from "../../domain/signature/outcome.ts";
import { isSameTarget } from "../../domain/workload/target/target.ts";
import { describeManualChange, isManagedChange } from "../../domain/workload/decision/manual-change.ts";
import { describeOtherTarget, isHeldElsewhere, withheldReason } from "../../domain/workload/update/claim.ts";
import { formatRefusal } from "../../domain/workload/request/person-request.ts";
import { parseDigests } from "../../domain/workload/digest/digests.ts";
import type { Digests } from "../../domain/workload/digest/tracking.ts";
import { updateStartedEvent } from "../../domain/workload/event/events.ts";
import { chooseRelease } from "../../domain/workload/release/choose-release.ts";
import { movedDigests, pinsWithout } from "../../domain/workload/release/pin-template.ts";
import { isGuarded } from "../../domain/workload/update/verified-change.ts";
import {
  dropRestore,
  isRestorePending,
  isRevertNeeded,
  recordRestore,
  revertRelease,
  templateChange,
} from "../../domain/workload/release/record-restore.ts";
import { findSnapshot } from "../../domain/workload/release/find-snapshot.ts";
import { claimForHook, isPreHookUnknown, pendingPreHook } from "../../domain/workload/hook/run-hook.ts";
import type { Release, Snapshot } from "../../domain/workload/release/release.ts";
import type { InFlight } from "../../domain/workload/update/in-flight.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { emitEvent } from "../emit-events.ts";
import { deleteStuckPods } from "./start-update.ts";

type RestorePorts = Pick<Ports, "cluster" | "events" | "verifier" | "now">;
type Output = TaskOutput<"RestoreRelease">;

/** Claims the workload and restores the pod template of the release that a person requested. */
export async function startRestore(ports: RestorePorts, workload: Workload, input: StepInput): Promise<Output> {
  const { request } = workload;
  if (request?.verb !== "rollback") return superseded("no rollback is requested any more");
  const chosen = chooseRelease(workload, request.argument);
  if (chosen.kind === "refused") return superseded(chosen.reason);
  const { release } = chosen;
  if (input.target.kind !== "release" || input.target.number !== release.number)
    return superseded(`the request is for release ${release.number} now`);
  const digests = input.digests ? parseDigests(input.digests) : null;
  const found = await findSnapshots(ports, workload, release, digests, input.verification);
  if ("missing" in found) {
    const { token, verb } = request;
    await ports.cluster.change(workload, { answer: { token, verb, result: formatRefusal(found.missing) } });
    return superseded(found.missing);
  }
  const change = recordRestore(workload, { release, digests, ...found }, input.execution, ports.now());
  const hook = pendingPreHook(workload, input.target, null);
  if (hook !== null) {
    await ports.cluster.change(workload, claimForHook(change, hook, ports.now()));
    return { kind: "hook", waitSeconds: 0, reason: `waits for the pre hook ${hook.job}` };
  }
  await ports.cluster.change(workload, change);
  await deleteStuckPods(ports, workload, change);
  await emitEvent(ports, workload, updateStartedEvent(input.target, input.execution));
  return applied(workload, `restored release ${release.number}`);
}

/** Continues a release in flight: takes it over from a lost execution, writes what is still missing, or reverts it. */
export async function continueRestore(
  ports: RestorePorts,
  workload: Workload,
  inFlight: InFlight,
  { target, execution, adopting, verification }: StepInput,
): Promise<Output> {
  if (isHeldElsewhere(workload)) return superseded("the claim is held by another installation");
  if (!isSameTarget(inFlight.target, target)) return superseded(describeOtherTarget(inFlight));
  if (inFlight.execution !== execution && !adopting) return superseded(`the claim is held by ${inFlight.execution}`);
  if (!isManagedChange(workload, inFlight)) return superseded(describeManualChange(workload, inFlight));
  const own = { ...inFlight, execution };
  const withheld = withheldReason(workload, inFlight);
  if (withheld !== null) {
    await ports.cluster.change(workload, dropRestore(workload, inFlight, withheld));
    return superseded(withheld);
  }
  if (isRestorePending(inFlight)) return revert(ports, workload, own);
  if (pendingPreHook(workload, target, inFlight) !== null || isPreHookUnknown(workload, inFlight)) {
    if (inFlight.execution !== execution) await ports.cluster.change(workload, { inFlight: own });
    return { kind: "hook", waitSeconds: 0, reason: "the pre hook has not ended" };
  }
  if (inFlight.phase === "release" && inFlight.isApplied === false)
    return applyClaimed(ports, workload, own, execution, verification);
  if (inFlight.execution !== execution) await ports.cluster.change(workload, { inFlight: own });
  return applied(workload, `release ${inFlight.release?.number} is in place`);
}

/** Restores the template before a release that failed. `RollBack` records if there is none any more. */
async function revert(ports: RestorePorts, workload: Workload, inFlight: InFlight): Promise<Output> {
  const isNeeded = isRevertNeeded(workload, inFlight);
  const previous = isNeeded ? await findPrevious(ports, workload, inFlight) : null;
  if (previous?.kind === "missing")
    return { kind: "unrestorable", waitSeconds: 0, reason: `the pod template before it ${previous.reason}` };
  const template = previous?.snapshot.template ?? null;
  await ports.cluster.change(workload, revertRelease(workload, inFlight, template, ports.now()));
  return applied(workload, isNeeded ? "restored the pod template before the release" : "the pod template was changed");
}

/** Writes the template that was claimed, and not written before the execution ended. */
async function applyClaimed(
  ports: RestorePorts,
  workload: Workload,
  claimed: InFlight,
  execution: string,
  verification: VerificationOutcome | undefined,
): Promise<Output> {
  const { release: target, digests } = claimed;
  const release = workload.releases?.list.find(({ number }) => number === target?.number);
  const found = release && (await findSnapshots(ports, workload, release, digests, verification));
  if (found === undefined || "missing" in found || found.snapshot.hash !== target?.hash) {
    const missing =
      found !== undefined && "missing" in found ? found.missing : `release ${target?.number} is not as it was claimed`;
    await ports.cluster.change(workload, dropRestore(workload, claimed, missing));
    return superseded(missing);
  }
  const inFlight = { ...claimed, startedAt: ports.now() };
  await ports.cluster.change(workload, { inFlight, ...templateChange(workload, found.snapshot.template) });
  await deleteStuckPods(ports, workload, { inFlight });
  await emitEvent(ports, workload, updateStartedEvent(inFlight.target, execution));
  return applied(workload, `restored release ${target.number}`);
}

interface Found {
  readonly snapshot: Snapshot;
  readonly previous: Snapshot;
}

/** Finds the snapshot of a release, with its pins, and that of the template that runs now. Where an enforced rule is for an image, only its own pin counts: others may write the status. */
async function findSnapshots(
  { cluster, verifier }: RestorePorts,
  workload: Workload,
  release: Release,
  digests: Digests | null,
  verification: VerificationOutcome | undefined,
): Promise<Found | { readonly missing: string }> {
  const plain = await cluster.readSnapshots(workload);
  const found = findSnapshot(workload, plain, release);
  if (found.kind === "missing") return { missing: `release ${release.number} ${found.reason}` };
  const previous = plain.find(({ hash }) => hash === workload.releases?.hash);
  if (previous === undefined) return { missing: "its controller has not observed the current pod template yet" };
  const pins = pinsWithout(movedDigests(release, digests), found.snapshot.template, (image) =>
    isGuarded(image, workload.ref.namespace, { verification, scopes: verifier.scopes }),
  );
  const pinned = Object.keys(pins).length === 0 ? plain : await cluster.readSnapshots(workload, pins);
  const kept = found.snapshot;
  return { snapshot: pinned.find((one) => one.revision === kept.revision) ?? kept, previous };
}

/** Finds the pod template before a release that failed. */
async function findPrevious({ cluster }: RestorePorts, workload: Workload, { release }: InFlight) {
  const { previousRevision: revision = "", previousHash: hash = "" } = release ?? {};
  return findSnapshot(workload, await cluster.readSnapshots(workload), { revision, hash });
}
