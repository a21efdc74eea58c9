import { isDigestPinned, pinToDigest, withoutDigest } from "../../image/reference.ts";
import type { Digests } from "../digest/tracking.ts";
import type { Release, TemplateSnapshot } from "./release.ts";

/** Returns the digests of a release whose tags resolve to others now: without a pin, another image would run. */
export function movedDigests({ digests = {} }: Pick<Release, "digests">, now: Digests | null): Digests {
  const moved = Object.entries(digests).filter(([name, digest]) => now?.[name] !== undefined && now[name] !== digest);
  return Object.fromEntries(moved);
}

/** Returns the template with these containers pinned to their digests. An image that is pinned already stays. */
export function pinTemplate(template: TemplateSnapshot, pins: Digests): TemplateSnapshot {
  const { containers, initContainers } = template.spec;
  const pin = <T extends { readonly name: string; readonly image?: string }>(container: T): T => {
    const { name, image } = container;
    const digest = pins[name];
    if (digest === undefined || image === undefined || isDigestPinned(image)) return container;
    return { ...container, image: pinToDigest(image, digest) };
  };
  return {
    ...template,
    spec: {
      ...template.spec,
      containers: containers.map(pin),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(pin) }),
    },
  };
}

/** Returns pins without those of containers whose image is excluded. */
export function pinsWithout(
  pins: Digests,
  { spec }: TemplateSnapshot,
  isExcluded: (image: string) => boolean,
): Digests {
  const excluded = [...spec.containers, ...(spec.initContainers ?? [])].filter(({ image = "" }) => isExcluded(image));
  const names = new Set(excluded.map(({ name }) => name));
  return Object.fromEntries(Object.entries(pins).filter(([name]) => !names.has(name)));
}

/** Returns the digests that images are pinned to, where a release recorded them: Pawl pinned these, and not their owner. */
export function pinsIn({ spec }: TemplateSnapshot, releases: readonly Release[]): Digests {
  const pinned = [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ name, image = "" }) => {
    const digest = releases.findLast(({ digests }) => {
      const recorded = digests?.[name];
      return recorded !== undefined && image === pinToDigest(withoutDigest(image), recorded);
    })?.digests?.[name];
    return digest === undefined ? [] : [[name, digest] as const];
  });
  return Object.fromEntries(pinned);
}
