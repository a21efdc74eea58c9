import fc from "fast-check";
import { Killed } from "../../support/fake-ports.ts";
import { Lost } from "../run-workload-update.ts";

export type Fault = "killed" | "lost";

/** Faults by moment, counted from 1 over a whole scenario: a function is killed, or its execution is lost. */
export type Faults = ReadonlyMap<number, Fault>;

export interface FaultInjector {
  /** Called before and after each port call. */
  readonly atMoment: () => void;
  readonly moments: () => number;
}

export function createFaultInjector(faults: Faults): FaultInjector {
  let moments = 0;
  function atMoment(): void {
    moments += 1;
    const fault = faults.get(moments);
    if (fault === "killed") throw new Killed(`moment ${moments}`);
    if (fault === "lost") throw new Lost(`moment ${moments}`);
  }
  return { atMoment, moments: () => moments };
}

export const randomFaults: fc.Arbitrary<Faults> = fc
  .uniqueArray(fc.tuple(fc.nat(500), fc.constantFrom("killed" as const, "lost" as const)), {
    selector: ([moment]) => moment,
    maxLength: 25,
  })
  .map((faults) => new Map(faults));
