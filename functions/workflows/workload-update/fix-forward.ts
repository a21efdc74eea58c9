import type { StepInput } from "../../contract/workload-update.ts";
import { failingAlready } from "../../domain/health/failing.ts";
import { recordCanary } from "../../domain/workload/canary/record.ts";
import { strategyOf } from "../../domain/workload/canary/canary.ts";
import { pinFailure } from "../../domain/workload/decision/pin.ts";
import { preconditionFailure } from "../../domain/workload/decision/preconditions.ts";
import { updateStartedEvent } from "../../domain/workload/event/events.ts";
import { recentEndEvents } from "../../domain/workload/event/lost-events.ts";
import { recordStart } from "../../domain/workload/record/update-record.ts";
import {
  supersedableUpdate,
  supersede,
  withoutUpdate,
  yieldsToNewer,
} from "../../domain/workload/supersede/fix-forward.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import { verificationFailure } from "../../domain/workload/update/verified-change.ts";
import type { Claim } from "../../domain/workload/update/claim.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { emitEvent } from "../emit-events.ts";
import { deleteStuckPods, gateReason, readCanaryStart, type UpdatePorts } from "./start-update.ts";

/**
 * Claims a workload in place of an older update whose pods fail, or of a canary, and applies the newer version, without a rollback in between. Reads the pods
 * again: they may be ready by now. Returns the change; null if there is nothing to supersede.
 */
export async function fixForward(ports: UpdatePorts, workload: Workload, input: StepInput): Promise<Change | null> {
  const { target, execution, strategy, verification } = input;
  const superseded = supersedableUpdate(workload);
  const { policy } = workload;
  if (superseded === null || superseded.execution === execution || input.adopting || target.kind !== "image")
    return null;
  if (strategy !== strategyOf(policy)) return null;
  const refusal = verificationFailure(workload, target, verification) ?? pinFailure(workload, target, verification);
  if (refusal !== null) return null;
  const now = ports.now();
  const start = readCanaryStart(input);
  const failing = failingAlready((await ports.cluster.countUnavailablePods(workload)).evidence);
  if (failing.length === 0 && !yieldsToNewer(workload, superseded)) return null;
  const before = withoutUpdate(workload, superseded, failing.length > 0);
  if (preconditionFailure(before, start, now) !== null) return null;
  if ((await gateReason(ports.cluster, before, target, now)) !== null) return null;
  const started =
    policy.canary === null
      ? recordStart(before, start, execution, now)
      : recordCanary(before, start, execution, policy.canary, now);
  const change = supersede(workload, superseded, started, failing, now);
  await ports.cluster.change(workload, change);
  await deleteStuckPods(ports, workload, change);
  await announceSuperseded(ports, { ...workload, updateRecord: { ...workload.updateRecord, ...change.updateRecord } });
  await emitEvent(ports, workload, updateStartedEvent(target, execution, policy.canary));
  return change;
}

/** Emits the Event of the update that was superseded last. Repeated until the newer one is applied. */
async function announceSuperseded(ports: UpdatePorts, workload: Workload): Promise<void> {
  const isSuperseded = workload.updateRecord.versionHistory.at(-1)?.status === "Superseded";
  const [event] = isSuperseded ? recentEndEvents(workload, ports.now()) : [];
  if (event !== undefined) await emitEvent(ports, workload, event);
}

/** Emits the Event of the update that this one superseded, if its claim was written and its change was not. */
export async function announceAgain(ports: UpdatePorts, claim: Claim): Promise<void> {
  if (claim.kind === "held" && claim.inFlight.isApplied === false && claim.inFlight.replacedImage !== undefined)
    await announceSuperseded(ports, claim.workload);
}
