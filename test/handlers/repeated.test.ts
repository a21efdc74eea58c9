import { describe, expect, test } from "vitest";
import type { StepInput } from "../../functions/contract.ts";
import type { Workload } from "../../functions/domain/workload.ts";
import { adoptUpdate } from "../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../functions/handlers/check-canary.ts";
import { checkReadiness } from "../../functions/handlers/check-readiness.ts";
import { handOver } from "../../functions/handlers/hand-over.ts";
import { openCircuit } from "../../functions/handlers/open-circuit.ts";
import { recordSuccess } from "../../functions/handlers/record-success.ts";
import { rollBack } from "../../functions/handlers/roll-back.ts";
import { startCanary } from "../../functions/handlers/start-canary.ts";
import type { Ports } from "../../functions/task.ts";
import type { Moment } from "../support/fake-cluster.ts";
import { type FakePorts, fakePorts, Killed, killedAt } from "../support/fake-ports.ts";
import { canaryInFlight, canarying, claw, inFlight, noon, settled, updating, workload } from "../support/workloads.ts";
import { digest, followed, prod, restarting, restartInFlight } from "../support/followed.ts";
import { restartStep, step } from "./steps.ts";

const agent = "ghcr.io/prismer-ai/k8s4claw-openclaw";
const agentMarks = { ...inFlight, targetImage: `${agent}:1.1.0`, previousImage: `${agent}:1.0.0` };
const agentPods = { ...settled, image: `${agent}:1.0.0` };
const restingClaw = claw({ image: `${agent}:1.0.0`, rollout: agentPods });
const updatingClaw = claw({
  image: `${agent}:1.1.0`,
  inFlight: agentMarks,
  rollout: { ...settled, image: `${agent}:1.1.0` },
});
const givenUp = { ...inFlight, startedAt: "malformed", previousImage: null } as const;
const counted = {
  rollbackCount: 1,
  failedVersions: ["1.1.0"],
  versionHistory: [{ version: "1.1.0", appliedAt: noon, status: "RolledBack" }],
} as const;
const lost = { ...canaryInFlight, execution: "e-0" };
const byHand = { execution: null, previousImage: null };
const lostRestart = { ...restartInFlight, execution: "e-0" };
const pinning = { policy: { rollsBackDigests: true } };
const off = { policy: { enabled: false } };
const pinned = followed({ image: `${prod}@${digest(1)}`, isPinned: true });

type Run = (ports: Ports, input: StepInput) => Promise<{ readonly kind: string }>;
const promote: Run = (ports, input) => applyUpdate(ports, { ...input, strategy: "canary" });
const giveUp: Run = (ports, input) => rollBack(ports, { ...input, verdict: "expired", reason: "too late" });

/** Everything that is left behind, but for when it was last looked at, which a step repeated later may say anew. */
function leftBehind({ cluster, executions, published }: FakePorts, uid: string) {
  const { resourceVersion: _version, bookkeeping, ...rest } = cluster.get(uid);
  const { lastCheck: _check, lastUpdate: _update, ...lasting } = bookkeeping;
  return {
    workload: { ...rest, bookkeeping: lasting },
    events: cluster.events(),
    // Told again, an event is the same but for the version that ran before: success has overwritten that.
    published: new Set(published.map(({ currentVersion: _before, ...event }) => JSON.stringify(event))),
    started: executions.started,
    freed: new Set(cluster.freed),
  };
}

/** Runs the step, and once more where its Lambda was killed: half a minute later, where it had written anything. */
async function runToItsEnd(ports: FakePorts, run: Run, input: StepInput) {
  const { resourceVersion } = ports.cluster.get(input.workload.uid);
  try {
    return await run(ports, input);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    if (ports.cluster.get(input.workload.uid).resourceVersion !== resourceVersion) ports.pass(30);
    return run(ports, input);
  }
}

describe.for<{ step: string; run: Run; seen: Workload; of?: StepInput }>([
  { step: "ApplyUpdate", run: applyUpdate, seen: workload() },
  { step: "ApplyUpdate of a Claw", run: applyUpdate, seen: restingClaw },
  { step: "AdoptUpdate", run: adoptUpdate, seen: updating({ inFlight: { ...inFlight, execution: "e-0" } }) },
  { step: "AdoptUpdate of marks by hand", run: adoptUpdate, seen: updating({ inFlight: { ...inFlight, ...byHand } }) },
  {
    step: "AdoptUpdate of a Claw",
    run: adoptUpdate,
    seen: { ...updatingClaw, inFlight: { ...agentMarks, ...byHand } },
  },
  {
    step: "CheckReadiness",
    run: (ports, input) => checkReadiness(ports, { ...input, executionStartedAt: noon.toISOString() }),
    seen: updating(),
  },
  { step: "RecordSuccess", run: recordSuccess, seen: updating({ bookkeeping: { rollbackCount: 1 } }) },
  { step: "RecordSuccess of a Claw", run: recordSuccess, seen: updatingClaw },
  { step: "RollBack", run: giveUp, seen: updating({ bookkeeping: { rollbackCount: 1 } }) },
  { step: "RollBack of a Claw", run: giveUp, seen: updatingClaw },
  { step: "RollBack that trips the circuit", run: giveUp, seen: updating({ policy: { maxRollbacks: 1 } }) },
  {
    step: "RollBack of a Claw that trips the circuit",
    run: giveUp,
    seen: { ...updatingClaw, bookkeeping: { ...updatingClaw.bookkeeping, rollbackCount: 2 } },
  },
  {
    step: "RollBack that goes on where another was interrupted",
    run: giveUp,
    seen: workload({ inFlight: { ...givenUp, phase: "rollback" }, bookkeeping: counted }),
  },
  { step: "RollBack of what was switched off", run: giveUp, seen: updating({ policy: { enabled: false } }) },
  {
    step: "OpenCircuit",
    run: (ports, input) => openCircuit(ports, { ...input, reason: "too late" }),
    seen: workload({ bookkeeping: { circuitOpen: true, rollbackCount: 3 } }),
  },
  { step: "HandOver", run: handOver, seen: updating() },
  { step: "StartCanary", run: startCanary, seen: workload({ policy: { canary: { unit: "replicas", amount: 1 } } }) },
  {
    step: "CheckCanary",
    run: (ports, input) => checkCanary(ports, { ...input, executionStartedAt: noon.toISOString() }),
    seen: canarying(),
  },
  { step: "ApplyUpdate that promotes", run: promote, seen: canarying() },
  { step: "AdoptUpdate of a canary not made", run: adoptUpdate, seen: canarying({ inFlight: lost, canary: null }) },
  { step: "RollBack of a canary", run: giveUp, seen: canarying() },
  { step: "RollBack of an aborted canary", run: giveUp, seen: canarying({ verdict: "abort" }) },
  { step: "ApplyUpdate that restarts", run: applyUpdate, seen: followed(), of: restartStep },
  { step: "ApplyUpdate that restarts and takes a pin out", run: applyUpdate, seen: pinned, of: restartStep },
  { step: "AdoptUpdate of a restart", run: adoptUpdate, seen: restarting({ inFlight: lostRestart }), of: restartStep },
  { step: "RecordSuccess of a restart", run: recordSuccess, seen: restarting(), of: restartStep },
  { step: "RollBack of a restart", run: giveUp, seen: restarting(), of: restartStep },
  { step: "RollBack of a restart that pins", run: giveUp, seen: restarting(pinning), of: restartStep },
  { step: "RollBack of a restart that was switched off", run: giveUp, seen: restarting(off), of: restartStep },
  { step: "HandOver of a restart", run: handOver, seen: restarting(), of: restartStep },
])("$step, killed anywhere and repeated", async ({ run, seen, of = step }) => {
  const image = seen.ref.kind === "Claw" ? agentMarks.targetImage : of.image;
  const input = { ...of, workload: seen.ref, image };
  const moments: Moment[] = [];
  const undisturbed = fakePorts({ workloads: [seen], atMoment: (moment) => moments.push(moment) });
  const answer = await run(undisturbed, input);

  test.for(moments)("%s: leaves behind the same", async (moment) => {
    const ports = fakePorts({ workloads: [seen], atMoment: killedAt(moment) });
    expect(await runToItsEnd(ports, run, input)).toEqual(answer);
    expect(leftBehind(ports, seen.ref.uid)).toEqual(leftBehind(undisturbed, seen.ref.uid));
  });
});
