import { annotations } from "../../../domain/annotations.ts";
import { parseImageReference, sameImage } from "../../../domain/image-reference.ts";
import { namesIn } from "../../../domain/names-in.ts";
import type { Change } from "../../../domain/workload.ts";
import type { Container } from "../objects.ts";
import { allContainers, type BuiltInObject, containersPatch, inTemplate, templateOf } from "./pod-template.ts";

/** The container whose tag is followed: the first that is named, an init container too, otherwise the first of the pod. */
export function containerOf(object: BuiltInObject): Container | undefined {
  const [named] = namedIn(object);
  if (named === undefined) return templateOf(object).spec.containers[0];
  return allContainers(object).find(({ name }) => name === named);
}

/** Those that move with it: all that are named; where none is, all that run the same image, init containers too. */
export function movingContainers(object: BuiltInObject): readonly Container[] {
  const leading = containerOf(object);
  const names = namedIn(object);
  if (names.length > 0) return allContainers(object).filter(({ name }) => names.includes(name));
  return allContainers(object).filter((one) => one.name === leading?.name || runsTheSame(one, leading));
}

/** With nothing to go back to the template stays as it is. */
export function imagePatch(object: BuiltInObject, { image }: Pick<Change, "image">): object {
  if (image === undefined || image === null) return {};
  const spec = containersPatch(object, new Map(movingContainers(object).map(({ name }) => [name, { image }])));
  return inTemplate(object, spec === null ? null : { spec });
}

/** What is wrong with the containers that are named, and with the image that is followed. */
export function containerProblems(object: BuiltInObject): readonly string[] {
  const all = allContainers(object);
  const unknown = namedIn(object).filter((name) => !all.some((one) => one.name === name));
  const leading = containerOf(object);
  if (unknown.length > 0 || leading === undefined) {
    const names = all.map(({ name }) => name).join(", ");
    return unknown.map((name) => `${annotations.container} "${name}": no such container, there are ${names}`);
  }
  const parsed = parseImageReference(leading.image ?? "");
  if ("kind" in parsed) return [`image "${leading.image}" of container ${leading.name}: ${parsed.reason}`];
  return movingContainers(object).flatMap((one) =>
    one.name === leading.name || runsTheSame(one, leading)
      ? []
      : [
          `${annotations.container}: ${one.name} runs ${one.image} and ${leading.name} ${leading.image}: ` +
            `containers move together only where they run the same image`,
        ],
  );
}

function runsTheSame({ image }: Container, leading: Container | undefined): boolean {
  return Boolean(image && leading?.image && sameImage(image, leading.image));
}

function namedIn({ metadata }: BuiltInObject): readonly string[] {
  return namesIn(metadata.annotations?.[annotations.container]);
}
