/** What the registry of the bench holds: `images` repositories, each with `tags` tags. */
export interface Shelf {
  readonly images: number;
  /** At least 4. */
  readonly tags: number;
}

export const runningTag = "1.0.0";

/** Tags that none may choose: not a version, and a pre-release above every release. */
const decoys = ["latest", "9.9.9-rc.1"];

export function repositoryOf(index: number): string {
  return `bench/app-${String(index).padStart(5, "0")}`;
}

export function repositories({ images }: Shelf): readonly string[] {
  return Array.from({ length: images }, (_, index) => repositoryOf(index));
}

/** In the order of distribution, which is that of the alphabet: the newest is not the last. */
export function tagsOf(index: number, { tags }: Shelf): readonly string[] {
  const newer = Array.from({ length: tags - decoys.length - 1 }, (_, notch) => version(index, notch));
  return [runningTag, ...newer, ...decoys].sort();
}

/** The one right answer, another one for neighbouring images, so that no answer is right by accident. */
export function newestOf(index: number, { tags }: Shelf): string {
  return version(index, tags - decoys.length - 2);
}

function version(index: number, notch: number): string {
  return `1.${1 + (index % 7) + Math.floor(notch / 10)}.${notch % 10}`;
}
