import type { TaskInput, TaskOutput } from "../../contract/workload-update.ts";
import type { Ports } from "../../contract/ports.ts";
import { updateSucceededEvent } from "../../domain/workload/event/events.ts";
import { pendingPostHook, withHook } from "../../domain/workload/hook/run-hook.ts";
import { successNote } from "../../domain/workload/record/success-note.ts";
import { recordSuccess } from "../../domain/workload/record/update-record.ts";
import { imageOfTarget } from "../../domain/workload/target/target.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import type { Workload } from "../../domain/workload/workload.ts";
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
  const note = successNote(inFlight, input, await describeFrozenPods(ports, workload));
  await restoreStartEvent(ports, claim, input);
  await ports.cluster.change(workload, recordSuccess(workload, inFlight, ports.now(), note));
  return emitSuccess(ports, workload, input, note);
}

/** Reports an update that is recorded already: the step is repeated. */
export async function reportHealthy(ports: UpdatePorts, workload: Workload, input: Input): Promise<Output> {
  const note = successNote(workload.inFlight, input, await describeFrozenPods(ports, workload));
  return emitSuccess(ports, workload, input, note);
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
