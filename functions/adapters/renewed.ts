/** A value and until when it may serve. */
export interface Perishable<T> {
  readonly value: T;
  readonly usableUntil: Date;
}

export interface Renewed<T> {
  /** The value, fetched where there is none that may still serve; whoever asks meanwhile waits for the same fetch. */
  get(): Promise<T>;
  /** Drops the value that somebody refused, not one that has been fetched since. */
  forget(refused: T): void;
}

interface Kept<T> {
  readonly fetching: Promise<Perishable<T>>;
  /** null while it is being fetched. */
  perishable: Perishable<T> | null;
}

/** Keeps what `fetch` gives for as long as it may serve. A failure is thrown to all who wait for it, and is not kept. */
export function renewed<T>(fetch: () => Promise<Perishable<T>>, now: () => Date): Renewed<T> {
  let kept: Kept<T> | null = null;

  function fetchAnew(): Kept<T> {
    const entry: Kept<T> = { fetching: fetch(), perishable: null };
    kept = entry;
    entry.fetching.then(
      (perishable) => (entry.perishable = perishable),
      () => {
        if (kept === entry) kept = null;
      },
    );
    return entry;
  }

  return {
    async get() {
      const usableUntil = kept?.perishable?.usableUntil;
      const isOver = usableUntil !== undefined && usableUntil <= now();
      const entry = kept === null || isOver ? fetchAnew() : kept;
      return (await entry.fetching).value;
    },
    forget(refused) {
      if (kept?.perishable?.value === refused) kept = null;
    },
  };
}

/** The moment this many seconds after another. */
export function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}
