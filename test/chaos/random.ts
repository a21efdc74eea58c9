/** Choices that depend on a seed alone. */
export interface Random {
  /** From `min` up to, but not including, `max`. */
  between(min: number, max: number): number;
  pick<T>(values: readonly T[]): T;
  chance(probability: number): boolean;
  /** Another generator, so that what one actor does has no influence on the choices of the others. */
  fork(): Random;
}

/** Creates a generator by the algorithm mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    between: (min, max) => min + next() * (max - min),
    pick: <T>(values: readonly T[]) => values[Math.floor(next() * values.length)] as T,
    chance: (probability) => next() < probability,
    fork: () => createRandom(next() * 2 ** 32),
  };
}
