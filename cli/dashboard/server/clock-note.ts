import { createServerClock, type ServerClock } from "../../../functions/adapters/kubernetes/server-clock.ts";
import { formatAge } from "../../output/format-age.ts";

interface ClockNote extends Pick<ServerClock, "observe"> {
  /** Returns one note if the clock is wrong. */
  notes(): readonly string[];
}

interface Clock {
  readonly now: () => Date;
  /** Real seconds for each second of the clock. */
  readonly waitScale: number;
}

/** A response has only whole seconds, and takes some to arrive. */
const toleranceSeconds = 60;

/** Compares the clock of this machine with that of the API server. Says nothing where another clock is faster. */
export function createClockNote({ now, waitScale }: Clock): ClockNote {
  const { observe, aheadSeconds } = createServerClock(now);
  return {
    observe,
    notes() {
      const ahead = Math.round(aheadSeconds());
      if (waitScale !== 1 || Math.abs(ahead) <= toleranceSeconds) return [];
      const difference = `${formatAge(Math.abs(ahead))} ${ahead > 0 ? "behind" : "ahead of"} that of the API server`;
      return [`the clock of this machine is ${difference}: ages, and what is overdue, are wrong; set the clock`];
    },
  };
}
