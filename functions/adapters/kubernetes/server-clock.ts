/** The clock of an API server, as the header `Date` of its responses has it. */
export interface ServerClock {
  readonly observe: (headers: Readonly<Record<string, string>>) => void;
  /** How much it is ahead of this machine's clock, by the last response; negative if it is behind, 0 before the first one. */
  readonly aheadSeconds: () => number;
}

/** `clock` is that of the machine, also where everything else has another one. */
export function createServerClock(clock: () => Date): ServerClock {
  let seconds = 0;
  return {
    observe({ date = "" }) {
      const time = Date.parse(date);
      if (!Number.isNaN(time)) seconds = (time - clock().getTime()) / 1000;
    },
    aheadSeconds: () => seconds,
  };
}
