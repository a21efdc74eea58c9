import { writtenImage } from "../../../../domain/workload/target/target.ts";
import { rewriteReason } from "../../../../domain/workload/update/applied-image.ts";
import type { Change } from "../../../../domain/workload/update/change.ts";
import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import { AdmissionDenied } from "../../../../ports/errors.ts";
import { primaryContainer } from "../pod-template/container.ts";
import { type BuiltInObject, hashRelease, templateOf } from "../pod-template/pod-template.ts";

/** Returns an update in flight with what the API server answered to its patch: a webhook may have changed what was written. */
export function asAnswered(
  inFlight: InFlight,
  change: Change,
  body: object | null,
  changed: BuiltInObject | null,
): InFlight {
  if (changed === null || body === null) return inFlight;
  const { release, phase } = inFlight;
  if (release !== undefined && change.template !== undefined) {
    const hash = hashRelease(templateOf(changed));
    return { ...inFlight, release: { ...release, ...(phase === "rollback" ? { previousHash: hash } : { hash }) } };
  }
  const container = primaryContainer(changed);
  const isSet = container?.image !== undefined && setsImage(body, container.name);
  if (phase === "rollback" || inFlight.target.kind !== "image" || !isSet) return inFlight;
  return withAppliedImage(inFlight, container.image);
}

/** Records the image in the template if it is another one than the update wrote. Other targets than an image write none. */
export function withAppliedImage(inFlight: InFlight, image: string): InFlight {
  if (inFlight.target.kind !== "image") return inFlight;
  const { appliedImage: _before, ...update } = inFlight;
  return image === writtenImage(inFlight.target) ? update : { ...update, appliedImage: image };
}

/** Throws `AdmissionDenied` if a webhook made another image of the one that an update wrote. That is recorded, and reverted next. */
export function refuseRewritten(inFlight: InFlight | null | undefined): void {
  const reason = inFlight && inFlight.phase !== "rollback" ? rewriteReason(inFlight) : null;
  if (reason !== null) throw new AdmissionDenied(reason);
}

interface PatchedPods {
  readonly template?: { readonly spec?: Partial<Record<"containers" | "initContainers", readonly PatchedContainer[]>> };
}

interface PatchedContainer {
  readonly name: string;
  readonly image?: string;
}

/** Reports whether the patch of a workload sets the image of a container. */
function setsImage(body: object, name: string): boolean {
  const { spec = {} } = body as {
    readonly spec?: PatchedPods & { readonly jobTemplate?: { readonly spec?: PatchedPods } };
  };
  const { containers = [], initContainers = [] } = (spec.jobTemplate?.spec ?? spec).template?.spec ?? {};
  return [...containers, ...initContainers].some((one) => one.name === name && one.image !== undefined);
}
