import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import type { StepInput } from "../../../functions/contract/workload-update.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { continueAsNew } from "../../../functions/handlers/continue-as-new.ts";
import { openCircuit } from "../../../functions/handlers/open-circuit.ts";
import { recordSuccess } from "../../../functions/handlers/record-success.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import type { Moment } from "../../support/fake-cluster.ts";
import { type FakePorts, fakePorts, Killed, killedAt } from "../../support/fake-ports.ts";
import {
  canaryInFlight,
  canaryWorkload,
  claw,
  clawRepository,
  inFlight,
  noon,
  completeRollout,
  updatingWorkload,
  workload,
  imageTarget,
} from "../../support/workloads.ts";
import { digest, digestWorkload, prod, restartingWorkload, restartInFlight } from "../../support/digest-workloads.ts";
import { restartStep, revert, step } from "../steps.ts";

const agent = clawRepository;
const agentInFlight = { ...inFlight, target: imageTarget(`${agent}:1.1.0`), previousImage: `${agent}:1.0.0` };
const agentPods = { ...completeRollout, image: `${agent}:1.0.0` };
const idleClaw = claw({ image: `${agent}:1.0.0`, rollout: agentPods });
const updatingClaw = claw({
  image: `${agent}:1.1.0`,
  inFlight: agentInFlight,
  rollout: { ...completeRollout, image: `${agent}:1.1.0` },
});
const malformed = { ...inFlight, startedAt: "malformed", previousImage: null } as const;
const counted = {
  rollbackCount: 1,
  failedVersions: ["1.1.0"],
  versionHistory: [{ version: "1.1.0", appliedAt: noon, status: "RolledBack" }],
} as const;
const lost = { ...canaryInFlight, execution: "e-0" };
const manual = { execution: null, previousImage: null };
const lostRestart = { ...restartInFlight, execution: "e-0" };
const pinning = { policy: { rollsBackDigests: true } };
const off = { policy: { optIn: "no" as const } };
const pinned = digestWorkload({ image: `${prod}@${digest(1)}`, isPinnedByPawl: true });

type Run = (ports: Ports, input: StepInput) => Promise<{ readonly kind: string }>;
const promote: Run = (ports, input) => applyUpdate(ports, { ...input, strategy: "canary" });
const runRollBack: Run = (ports, input) => revert(ports, { ...input, verdict: "expired", reason: "too late" });

/** Returns all effects except the times of the last check and update, which a repeated step may write again. */
function effectsOf({ cluster, executions, published }: FakePorts, uid: string) {
  const { resourceVersion: _version, record, updateRecord, ...rest } = cluster.get(uid);
  const { lastCheck: _check, lastUpdate: _update, ...lasting } = updateRecord;
  // The version before the update has to stay ready for a minute after the step that is repeated later.
  const versionHistory = lasting.versionHistory.map(({ finishedAt: _at, ...entry }) => entry);
  return {
    workload: { ...rest, updateRecord: { ...lasting, versionHistory }, recordState: record.state },
    events: cluster.events(),
    // A duplicate event differs only in the previous version, which a success has overwritten.
    published: new Set(published.map(({ currentVersion: _before, ...event }) => JSON.stringify(event))),
    started: executions.started,
    freed: new Set(cluster.stuckPodDeletions),
  };
}

/** Runs the step, and repeats it if its function was killed: 30 s later if it had written anything. */
async function runUntilDone(ports: FakePorts, run: Run, input: StepInput) {
  const { resourceVersion, record } = ports.cluster.get(input.workload.uid);
  try {
    return await run(ports, input);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    const current = ports.cluster.get(input.workload.uid);
    const hasWritten =
      current.resourceVersion !== resourceVersion || current.record.resourceVersion !== record.resourceVersion;
    if (hasWritten) ports.pass(30);
    return run(ports, input);
  }
}

describe.for<{ step: string; run: Run; initial: Workload; input?: StepInput }>([
  { step: "ApplyUpdate", run: applyUpdate, initial: workload() },
  { step: "ApplyUpdate of a Claw", run: applyUpdate, initial: idleClaw },
  { step: "AdoptUpdate", run: adoptUpdate, initial: updatingWorkload({ inFlight: { ...inFlight, execution: "e-0" } }) },
  {
    step: "AdoptUpdate of manual annotations",
    run: adoptUpdate,
    initial: updatingWorkload({ inFlight: { ...inFlight, ...manual } }),
  },
  {
    step: "AdoptUpdate of a Claw",
    run: adoptUpdate,
    initial: { ...updatingClaw, inFlight: { ...agentInFlight, ...manual } },
  },
  {
    step: "CheckReadiness",
    run: (ports, input) => checkReadiness(ports, { ...input, executionStartedAt: noon.toISOString() }),
    initial: updatingWorkload(),
  },
  { step: "RecordSuccess", run: recordSuccess, initial: updatingWorkload({ updateRecord: { rollbackCount: 1 } }) },
  { step: "RecordSuccess of a Claw", run: recordSuccess, initial: updatingClaw },
  { step: "RollBack", run: runRollBack, initial: updatingWorkload({ updateRecord: { rollbackCount: 1 } }) },
  { step: "RollBack of a Claw", run: runRollBack, initial: updatingClaw },
  {
    step: "RollBack that trips the circuit",
    run: runRollBack,
    initial: updatingWorkload({ policy: { maxRollbacks: 1 } }),
  },
  {
    step: "RollBack of a Claw that trips the circuit",
    run: runRollBack,
    initial: { ...updatingClaw, updateRecord: { ...updatingClaw.updateRecord, rollbackCount: 2 } },
  },
  {
    step: "RollBack that continues an interrupted one",
    run: runRollBack,
    initial: workload({ inFlight: rollbackOf(malformed), updateRecord: counted }),
  },
  {
    step: "RollBack of a disabled workload",
    run: runRollBack,
    initial: updatingWorkload({ policy: { optIn: "no" as const } }),
  },
  {
    step: "OpenCircuit",
    run: (ports, input) => openCircuit(ports, { ...input, reason: "too late" }),
    initial: workload({ updateRecord: { circuitOpen: true, rollbackCount: 3 } }),
  },
  { step: "ContinueAsNew", run: continueAsNew, initial: updatingWorkload() },
  { step: "StartCanary", run: startCanary, initial: workload({ policy: { canary: { unit: "replicas", amount: 1 } } }) },
  {
    step: "CheckCanary",
    run: (ports, input) => checkCanary(ports, { ...input, executionStartedAt: noon.toISOString() }),
    initial: canaryWorkload(),
  },
  { step: "ApplyUpdate that promotes", run: promote, initial: canaryWorkload() },
  {
    step: "AdoptUpdate of a canary that was not created",
    run: adoptUpdate,
    initial: canaryWorkload({ inFlight: lost, canary: null }),
  },
  { step: "RollBack of a canary", run: runRollBack, initial: canaryWorkload() },
  { step: "RollBack of an aborted canary", run: runRollBack, initial: canaryWorkload({ verdict: "abort" }) },
  { step: "ApplyUpdate that restarts", run: applyUpdate, initial: digestWorkload(), input: restartStep },
  { step: "ApplyUpdate that restarts and removes a pin", run: applyUpdate, initial: pinned, input: restartStep },
  {
    step: "AdoptUpdate of a restart",
    run: adoptUpdate,
    initial: restartingWorkload({ inFlight: lostRestart }),
    input: restartStep,
  },
  { step: "RecordSuccess of a restart", run: recordSuccess, initial: restartingWorkload(), input: restartStep },
  { step: "RollBack of a restart", run: runRollBack, initial: restartingWorkload(), input: restartStep },
  {
    step: "RollBack of a restart that pins",
    run: runRollBack,
    initial: restartingWorkload(pinning),
    input: restartStep,
  },
  {
    step: "RollBack of a restart of a disabled workload",
    run: runRollBack,
    initial: restartingWorkload(off),
    input: restartStep,
  },
  { step: "ContinueAsNew of a restart", run: continueAsNew, initial: restartingWorkload(), input: restartStep },
])("$step, killed at any moment and repeated", async ({ run, initial, input: stepInput = step }) => {
  const target = initial.ref.kind === "Claw" ? agentInFlight.target : stepInput.target;
  const input = { ...stepInput, workload: initial.ref, target };
  const moments: Moment[] = [];
  const uninterrupted = fakePorts({ workloads: [initial], atMoment: (moment) => moments.push(moment) });
  const result = await run(uninterrupted, input);

  test.for(moments)("%s: has the same effects", async (moment) => {
    const ports = fakePorts({ workloads: [initial], atMoment: killedAt(moment) });
    expect(await runUntilDone(ports, run, input)).toEqual(result);
    expect(effectsOf(ports, initial.ref.uid)).toEqual(effectsOf(uninterrupted, initial.ref.uid));
  });
});
