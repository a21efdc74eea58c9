import type { Task } from "../../contract/task.ts";
import type { StepInput, TaskName } from "../../contract/workload-update.ts";
import type { Ports } from "../../contract/ports.ts";
import { isSameImage, pinToDigest } from "../../domain/image/reference.ts";
import { isEnforced, isRefused } from "../../domain/signature/outcome.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import {
  imagesToProve,
  type Known,
  restartedDigest,
  restartsToProve,
  withRestartedDigest,
  withVerifiedDigest,
} from "../../domain/workload/update/verified-change.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { readOverride } from "../read-override.ts";
import { ImageNotVerified } from "../../ports/errors.ts";
import type { HookJobSpec } from "../../ports/cluster.ts";

type GuardPorts = Pick<Ports, "cluster" | "verifier">;

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
 * Returns ports that write no image without a proof, where an enforced rule is for its own repository or for that of the update. An image is proved
 * if it is the verified one or in place already; if the workload ran it, as a controller of Kubernetes keeps that, and who can write the status of
 * an AutoUpdate cannot invent it; or if it is verified now, like any other. Without an enforced rule, the ports stay as they are.
 */
export function guardWrites<Guarded extends GuardPorts>(ports: Guarded, input: Partial<StepInput>): Guarded {
  const { cluster, verifier } = ports;
  const { target, verification } = input;
  const { scopes } = verifier;
  if (target === undefined || (!isEnforced(verification) && scopes.every(({ mode }) => mode === "warn"))) return ports;
  const known: Known = { target, verification, scopes };

  /** Returns the digest of an image that its rules have verified. */
  async function verify({ ref }: Workload, image: string): Promise<string> {
    const { kind, digest, reason } = await verifier.verify(ref, { kind: "image", image });
    if (kind === "verified" && digest !== null) return digest;
    const why = `it is not verified (${reason}), and no revision of the workload has it`;
    throw refusal({ ref }, image, why);
  }

  /** A restart writes the digests that its containers pull: their tags may move until then. */
  async function proveRestart(workload: Workload, change: Change): Promise<Change> {
    let proved = change;
    for (const restarted of restartsToProve(workload, change, known)) {
      const { image } = restarted;
      const digest = restartedDigest(known, image) ?? (await verify(workload, image));
      proved = withRestartedDigest(proved, restarted, digest);
    }
    return proved;
  }

  async function prove(workload: Workload, change: Change): Promise<Change> {
    if (change.restart !== undefined) return proveRestart(workload, change);
    const images = imagesToProve(workload, change, known);
    const ran = images.length === 0 ? [] : await cluster.imagesThatRan(workload);
    let proved = change;
    for (const image of images.filter((one) => !ran.some((before) => isSameImage(before, one)))) {
      const written = withVerifiedDigest(workload, proved, image, await verify(workload, image));
      if (written === null) throw refusal(workload, image, "the digest that is verified cannot be written");
      proved = written;
    }
    return proved;
  }

  /** A Job of an update runs its image. The record of the update may name another digest than was verified. */
  async function proveJob(workload: Workload, spec: HookJobSpec): Promise<HookJobSpec> {
    const [image] = imagesToProve(workload, { image: spec.image }, known);
    return image === undefined ? spec : { ...spec, image: pinToDigest(image, await verify(workload, image)) };
  }

  const methods: Pick<Ports["cluster"], "change" | "startHook"> = {
    change: async (workload, change) => cluster.change(workload, await prove(workload, change)),
    startHook: async (workload, spec) => cluster.startHook(workload, await proveJob(workload, spec)),
  };
  const proxy = new Proxy(cluster, { get: (of, name) => Reflect.get(name in methods ? methods : of, name) as unknown });
  return { ...ports, cluster: proxy };
}

function refusal({ ref: { kind, namespace, name } }: Pick<Workload, "ref">, image: string, why: string): Error {
  return new ImageNotVerified(
    `${kind} ${namespace}/${name}: ${image} is not written: ${why}; set an image that is signed`,
  );
}
