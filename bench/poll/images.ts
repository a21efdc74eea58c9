/** The repositories of the registry: `images` of them, each with `tags` tags. */
export interface TagList {
  readonly images: number;
  /** At least 4. */
  readonly tags: number;
}

export const runningTag = "1.0.0";

/** Tags that no contender may select: one is not a version, one is a pre-release higher than every release. */
const ineligibleTags = ["latest", "9.9.9-rc.1"];

export function repositoryName(index: number): string {
  return `bench/app-${String(index).padStart(5, "0")}`;
}

export function repositories({ images }: TagList): readonly string[] {
  return Array.from({ length: images }, (_, index) => repositoryName(index));
}

/** Returns the tags in lexical order, as the distribution registry lists them: the newest is not the last. */
export function createTags(index: number, { tags }: TagList): readonly string[] {
  const newer = Array.from({ length: tags - ineligibleTags.length - 1 }, (_, step) => version(index, step));
  return [runningTag, ...newer, ...ineligibleTags].sort();
}

/** Returns the newest tag. Neighbouring images differ, so that no result is correct by accident. */
export function expectedTag(index: number, { tags }: TagList): string {
  return version(index, tags - ineligibleTags.length - 2);
}

function version(index: number, step: number): string {
  return `1.${1 + (index % 7) + Math.floor(step / 10)}.${step % 10}`;
}

const releasePattern = /^1\.(\d+)\.(\d+)$/;

/** Returns the newest release of major version 1, or "" if there is none. The bare loop calls it outside the measured time. */
export function selectNewestRelease(tags: readonly string[]): string {
  return tags.reduce((best, tag) => (rank(tag) > rank(best) ? tag : best), "");
}

function rank(tag: string): number {
  const [, minor, patch] = releasePattern.exec(tag) ?? [];
  return minor === undefined ? -1 : Number(minor) * 1000 + Number(patch);
}
