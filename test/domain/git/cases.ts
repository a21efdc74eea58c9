import { findImage } from "../../../functions/domain/git/find-image.ts";
import type { GitTarget } from "../../../functions/domain/git/git-target.ts";
import { writeImage } from "../../../functions/domain/git/write-image.ts";

export const target: GitTarget = {
  namespace: "shop",
  autoUpdate: "web",
  image: "ghcr.io/org/app",
};

export const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
export const zero = `sha256:${"0".repeat(64)}`;
/** What is written. */
export const next = `ghcr.io/org/app:1.1.0@${digest}`;

/** Returns the comment of a marker of the target. */
export function mark(part = ""): string {
  return `# {"$imagepolicy": "shop:web${part}"}`;
}

/** Returns the image that files name, or the reason why they do not. */
export function find(files: Readonly<Record<string, string>>, of = target): string {
  const found = findImage(new Map(Object.entries(files)), of);
  return found.kind === "found" ? found.image : found.reason;
}

/** Returns the files after a write, or the reason why there is none. */
export function write(
  files: Readonly<Record<string, string>>,
  image = next,
  of = target,
): string | Readonly<Record<string, string>> {
  const written = writeImage(new Map(Object.entries(files)), of, image);
  return written.kind === "written" ? { ...files, ...Object.fromEntries(written.files) } : written.reason;
}
