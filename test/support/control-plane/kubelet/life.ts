/** Annotations of an image manifest: how each of its pods lives. Times are seconds. */
export const lifeAnnotations = {
  /** After this time a container that has started is ready. */
  start: "test.pawl.dev/start-seconds",
  /** After this time a container that is ready exits with code 1, and starts again at once. */
  live: "test.pawl.dev/live-seconds",
  /** The number of containers that exit before they are ready; these are left out of `live`. */
  exitsBefore: "test.pawl.dev/exits-before-ready",
  /** The number of pods that can pull it. Later ones wait in ImagePullBackOff. */
  pulls: "test.pawl.dev/pulls",
} as const;

export interface Life {
  readonly startSeconds: number;
  readonly liveSeconds: number;
  readonly exitsBefore: number;
  readonly pulls: number;
}

/** Reads the life of a manifest; null if it has none. */
export function readLife(annotations: Readonly<Record<string, string>>): Life | null {
  if (!Object.values(lifeAnnotations).some((name) => name in annotations)) return null;
  const read = (name: string, absent: number) => Number(annotations[name] ?? absent);
  return {
    startSeconds: read(lifeAnnotations.start, 0),
    liveSeconds: read(lifeAnnotations.live, Infinity),
    exitsBefore: read(lifeAnnotations.exitsBefore, 0),
    pulls: read(lifeAnnotations.pulls, Infinity),
  };
}

/** Where a pod is in its life after `seconds`, and when that changes; Infinity if it does not. */
export interface LifeStage {
  readonly exits: number;
  readonly isReady: boolean;
  readonly leftSeconds: number;
}

export function stageOf({ startSeconds, liveSeconds, exitsBefore }: Life, seconds: number): LifeStage {
  const early = Math.min(exitsBefore, startSeconds === 0 ? exitsBefore : Math.floor(seconds / startSeconds));
  const rest = seconds - early * startSeconds;
  if (early < exitsBefore) return { exits: early, isReady: false, leftSeconds: startSeconds - rest };
  const cycle = startSeconds + liveSeconds;
  const exits = cycle === Infinity ? 0 : Math.floor(rest / cycle);
  const inCycle = exits === 0 ? rest : rest - exits * cycle;
  const isReady = inCycle >= startSeconds;
  return { exits: early + exits, isReady, leftSeconds: isReady ? cycle - inCycle : startSeconds - inCycle };
}
