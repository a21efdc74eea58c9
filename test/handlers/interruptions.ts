import fc from "fast-check";
import { Killed } from "../support/fake-ports.ts";
import { Lost } from "./machine-by-hand.ts";

/** By the number of the moment, counted from 1 over a whole story: a Lambda is killed, or its execution is lost. */
export type Faults = ReadonlyMap<number, "killed" | "lost">;

export function interruptions(faults: Faults): () => void {
  let moments = 0;
  return () => {
    moments += 1;
    const fault = faults.get(moments);
    if (fault === "killed") throw new Killed(`moment ${moments}`);
    if (fault === "lost") throw new Lost(`moment ${moments}`);
  };
}

export const anyFaults: fc.Arbitrary<Faults> = fc
  .uniqueArray(fc.tuple(fc.nat(500), fc.constantFrom("killed" as const, "lost" as const)), {
    selector: ([moment]) => moment,
    maxLength: 25,
  })
  .map((faults) => new Map(faults));
