import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import { isAsWritten, parseImageReference, isSameImage } from "../../../../domain/image/reference.ts";
import { parseCommaList } from "../../../../domain/text/comma-list.ts";
import { textOf } from "../../../../domain/workload/policy/raw-policy.ts";
import { isOwnImage } from "../../../../domain/workload/update/applied-image.ts";
import type { Change } from "../../../../domain/workload/update/change.ts";
import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import type { Container } from "../../objects.ts";
import {
  allContainers,
  type BuiltInObject,
  containersPatch,
  rawPolicyOf,
  templatePatch,
  templateOf,
} from "./pod-template.ts";
import { fieldProblem, type Problem } from "../../../../domain/workload/policy/problem.ts";

/** Returns the container whose tag is tracked: the first in `pawl.dev/containers`, or else the first of the pod. */
export function primaryContainer(object: BuiltInObject): Container | undefined {
  const [named] = selectedNames(object);
  if (named === undefined) return templateOf(object).spec.containers[0];
  return allContainers(object).find(({ name }) => name === named);
}

/** Returns the containers that an update sets: those in `pawl.dev/containers`, or else all with the same image, init containers too. */
export function updatedContainers(object: BuiltInObject): readonly Container[] {
  const leading = primaryContainer(object);
  const names = selectedNames(object);
  if (names.length > 0) return allContainers(object).filter(({ name }) => names.includes(name));
  return allContainers(object).filter((one) => one.name === leading?.name || runsSameImage(one, leading));
}

/** Images by the name of their container. */
export type ContainerImages = Readonly<Record<string, string>>;

/** Returns the containers that a change moves to another image or restarts, each with the image that it runs until then. */
export function movedContainers(object: BuiltInObject, { image, canary, restart, inFlight }: Change): ContainerImages {
  const target = image ?? canary?.image ?? null;
  if (!inFlight || inFlight.phase === "rollback") return {};
  const restarted = allContainers(object).filter(({ name }) => inFlight.digests?.[name] !== undefined);
  const updated = updatedContainers(object).filter((one) => target !== null && !isAsWritten(one.image ?? "", target));
  return Object.fromEntries(
    (restart === undefined ? updated : restarted).map(({ name, image: own }) => [name, own ?? ""]),
  );
}

/**
 * Returns a patch of the containers that do not have the image; empty without an image, for example if there is none to roll back to.
 * A rollback restores the containers that the update moved and that still run its target: a person may have set another image since.
 */
export function imagePatch(
  object: BuiltInObject,
  change: Pick<Change, "image" | "inFlight">,
  moved?: ContainerImages,
): object {
  const spec = containersPatch(object, changedImages(object, change, moved));
  return templatePatch(object, spec === null ? null : { spec });
}

/** Returns the containers that do not have the image, by name. */
export function changedImages(
  object: BuiltInObject,
  { image, inFlight }: Pick<Change, "image" | "inFlight">,
  moved?: ContainerImages,
): ReadonlyMap<string, object> {
  if (image === undefined || image === null) return new Map();
  const changed =
    inFlight?.phase === "rollback"
      ? containersToRestore(object, inFlight, moved)
      : updatedContainers(object).filter((container) => !isAsWritten(container.image ?? "", image));
  const others = changed.filter((container) => container.image !== image);
  return new Map(others.map(({ name }) => [name, { image }]));
}

function containersToRestore(object: BuiltInObject, inFlight: InFlight, moved?: ContainerImages): readonly Container[] {
  const candidates = moved === undefined ? updatedContainers(object) : allContainers(object);
  return candidates.filter(
    ({ name, image = "" }) => (moved === undefined || moved[name] !== undefined) && isOwnImage(image, inFlight),
  );
}

/** How many unknown names are reported: one mistake may repeat. */
export const maxUnknown = 10;

/** Returns the problems of the selected containers and of the tracked image. */
export function containerProblems(object: BuiltInObject): readonly Problem[] {
  const all = allContainers(object);
  const unknown = selectedNames(object).filter((name) => !all.some((one) => one.name === name));
  const leading = primaryContainer(object);
  if (unknown.length > 0 || leading === undefined) {
    const place = placeOfSelection(object);
    const names = all.map(({ name }) => name).join(", ");
    return unknown
      .slice(0, maxUnknown)
      .map((name) => fieldProblem(place, "NotFound", `no such container, there are ${names}`, name));
  }
  const parsed = parseImageReference(leading.image ?? "");
  if ("kind" in parsed) return [invalidImage(leading.name, leading.image, parsed.reason)];
  return updatedContainers(object).flatMap((one) =>
    one.name === leading.name || runsSameImage(one, leading)
      ? []
      : [
          fieldProblem(
            placeOfSelection(object),
            "InvalidValue",
            `${one.name} runs ${one.image} and ${leading.name} ${leading.image}: ` +
              `containers are updated together only if they run the same image`,
          ),
        ],
  );
}

/** Creates the problem of a container whose image is not a reference. */
export function invalidImage(name: string, image: string | undefined, reason: string): Problem {
  return { field: "image", code: "InvalidValue", text: `image "${image}" of container ${name}: ${reason}` };
}

function runsSameImage({ image }: Container, leading: Container | undefined): boolean {
  return Boolean(image && leading?.image && isSameImage(image, leading.image));
}

/** Where its owner wrote which containers are updated. */
function placeOfSelection(object: BuiltInObject): string {
  return rawPolicyOf(object)["containers"]?.place ?? annotations.containers;
}

function selectedNames(object: BuiltInObject): readonly string[] {
  return parseCommaList(textOf(rawPolicyOf(object)["containers"]));
}
