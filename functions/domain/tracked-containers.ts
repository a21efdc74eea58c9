import { namesIn } from "./names-in.ts";

export interface Selection {
  /** Names separated by commas; where there is one, it alone counts. */
  readonly track: string | undefined;
  readonly ignore: string | undefined;
}

/** Which of these containers are followed by digest: those that are named, or all that are not ignored. */
export function trackedContainers(names: readonly string[], { track, ignore }: Selection): readonly string[] {
  const [tracked, ignored] = [namesIn(track), namesIn(ignore)];
  if (tracked.length > 0) return names.filter((name) => tracked.includes(name));
  return names.filter((name) => !ignored.includes(name));
}

/** Names that are asked for and that no container has: whoever wrote them expects them to be followed. */
export function unknownContainers(names: readonly string[], { track }: Selection): readonly string[] {
  return namesIn(track).filter((name) => !names.includes(name));
}
