import type { TaskInput, TaskOutput } from "../../contract/workload-update.ts";
import type { Ports } from "../../contract/ports.ts";
import { containerDigests } from "../../domain/workload/config/tracking.ts";
import type { ContainerDigest } from "../../domain/workload/digest/tracking.ts";
import { targetOfEntry } from "../../domain/workload/event/lost-events.ts";
import { updateSucceededEvent } from "../../domain/workload/event/events.ts";
import { pendingPostHook, withHook } from "../../domain/workload/hook/run-hook.ts";
import { successNote } from "../../domain/workload/record/success-note.ts";
import { recordSuccess } from "../../domain/workload/record/update-record.ts";
import { imageOfTarget } from "../../domain/workload/target/target.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import type { HistoryEntry, Workload } from "../../domain/workload/workload.ts";
import { emitEvent } from "../emit-events.ts";
import { describeFrozenPods } from "./roll-pod.ts";
import { restoreStartEvent, type UpdatePorts } from "./start-update.ts";

type Input = TaskInput<"RecordSuccess">;
type Output = TaskOutput<"RecordSuccess">;

/** Records a healthy update once its post hook has ended, with what is not known of it. */
export async function recordHealthy(ports: UpdatePorts, claim: HeldClaim, input: Input): Promise<Output> {
  const waiting = await waitForPostHook(ports, claim);
  if (waiting !== null) return { kind: "hook", reason: waiting };
  const { workload, inFlight } = claim;
  const running = await readRunning(ports, claim);
  const note = successNote(inFlight, input, await describeFrozenPods(ports, workload), running);
  await restoreStartEvent(ports, claim, input);
  const change = recordSuccess(workload, inFlight, ports.now(), note, running);
  await ports.cluster.change(workload, change);
  return emitSuccess(ports, workload, withRecorded(input, change.updateRecord?.versionHistory), note);
}

/** Reads what the pods of an update run whose digest is known. A Claw and a StatefulCanary keep none. */
async function readRunning(
  { cluster }: Pick<Ports, "cluster">,
  { workload, inFlight }: HeldClaim,
): Promise<readonly ContainerDigest[]> {
  const isTracked = workload.digests !== null && containerDigests(inFlight.digests) !== null;
  const isResolved = inFlight.target.kind === "image" && inFlight.target.digest !== undefined;
  return isTracked || isResolved ? cluster.runningDigests(workload) : [];
}

/** Returns the input with the digest that was recorded: the tag may have moved before its pods pulled it. */
function withRecorded(input: Input, history: readonly HistoryEntry[] = []): Input {
  const last = history.at(-1);
  if (input.target.kind !== "digest" || last?.image === undefined) return input;
  return { ...input, target: targetOfEntry(last, last.image) };
}

/** Reports an update that is recorded already: the step is repeated. */
export async function reportHealthy(ports: UpdatePorts, workload: Workload, input: Input): Promise<Output> {
  const note = successNote(workload.inFlight, input, await describeFrozenPods(ports, workload));
  return emitSuccess(ports, workload, withRecorded(input, workload.updateRecord.versionHistory), note);
}

async function emitSuccess(
  ports: UpdatePorts,
  workload: Workload,
  { target, execution }: Input,
  note: string | null,
): Promise<Output> {
  await emitEvent(ports, workload, updateSucceededEvent(target, execution, note ?? ""));
  return { kind: "recorded", reason: `all replicas run ${imageOfTarget(target)}` };
}

/** Records that a healthy update waits for its post hook, and returns that as a sentence; null if there is none to wait for. */
async function waitForPostHook(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
): Promise<string | null> {
  const hook = pendingPostHook(workload, inFlight);
  if (hook === null) return null;
  await cluster.change(workload, { inFlight: withHook(inFlight, "post", hook, now()) });
  return `waits for the post hook ${hook.job}`;
}
