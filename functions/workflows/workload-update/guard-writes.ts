import type { Task } from "../../contract/task.ts";
import type { StepInput, TaskName } from "../../contract/workload-update.ts";
import type { Ports } from "../../contract/ports.ts";
import { isSameImage } from "../../domain/image/reference.ts";
import { isEnforced, isRefused } from "../../domain/signature/outcome.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import { unverifiedImages, unverifiedPins } from "../../domain/workload/update/verified-change.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { readOverride } from "../read-override.ts";
import { ImageNotVerified } from "../../ports/errors.ts";

type GuardPorts = Pick<Ports, "cluster">;

/** Returns a task whose writes are guarded. */
export function guardTask<Name extends TaskName>(task: Task<Name>): Task<Name> {
  return async (ports, input) => {
    const judged = await overrideVerification(ports, input);
    return task(guardWrites(ports, judged), judged);
  };
}

/**
 * Returns the input of a step as if its image were verified, if a person overrides the signature for this digest: then no other one is written. What
 * an override is for stays in the object, and is not in the claim, which others may write.
 */
export async function overrideVerification<Input extends Partial<StepInput>>(
  { cluster }: GuardPorts,
  input: Input,
): Promise<Input> {
  const { target, verification, workload: ref } = input;
  const isImage = target?.kind === "image" && target.digest !== undefined;
  if (!isRefused(verification) || ref === undefined || !isImage) return input;
  const workload = await cluster.read(ref);
  const override = workload === null ? null : await readOverride(cluster, workload, target, "signature");
  if (override === null) return input;
  const { digest, user } = override;
  const reason = `the signature is overridden by ${user}`;
  return { ...input, target: { ...target, pinned: true }, verification: { kind: "verified", digest, reason } };
}

/**
 * Returns ports that write no image but the verified one, or one that the workload ran: a controller of Kubernetes keeps that, and a person who can
 * write the status of an AutoUpdate cannot invent it. Without an enforced rule, the ports stay as they are.
 */
export function guardWrites<Guarded extends GuardPorts>(ports: Guarded, input: Partial<StepInput>): Guarded {
  const { target, verification } = input;
  if (target === undefined || verification === undefined || !isEnforced(verification)) return ports;
  const { cluster } = ports;

  async function checked(workload: Workload, change: Change): Promise<Change> {
    const images = unverifiedImages(workload, change, target!, verification);
    if (images.length === 0 && unverifiedPins(change, verification, []).length === 0) return change;
    const ran = await imagesOf(cluster, workload);
    const unknown = images.find((image) => !ran.some((one) => isSameImage(one, image)));
    if (unknown !== undefined) {
      const { kind, namespace, name } = workload.ref;
      throw new ImageNotVerified(
        `${kind} ${namespace}/${name}: ${unknown} is not written: it is not verified, and no revision of the workload has it; set an image that is signed`,
      );
    }
    const { pins: _pins, written: _written, ...others } = change;
    return unverifiedPins(change, verification, ran).length === 0 ? change : others;
  }

  const change = async (workload: Workload, written: Change) =>
    cluster.change(workload, await checked(workload, written));
  const guarded = new Proxy(cluster, {
    get: (of, name) => (name === "change" ? change : (Reflect.get(of, name) as unknown)),
  });
  return { ...ports, cluster: guarded };
}

/** Returns every image that the workload ran, as its controller keeps it: in revisions, or in the Jobs of a CronJob. */
async function imagesOf(cluster: GuardPorts["cluster"], workload: Workload): Promise<readonly string[]> {
  if (workload.ref.kind === "CronJob") return (await cluster.listJobs(workload)).flatMap(({ image }) => image ?? []);
  const snapshots = await cluster.readSnapshots(workload);
  const containers = snapshots.flatMap(({ template: { spec } }) => [
    ...spec.containers,
    ...(spec.initContainers ?? []),
  ]);
  return containers.flatMap(({ image }) => image ?? []);
}
