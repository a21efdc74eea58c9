import { afterEach, beforeAll, beforeEach, describe } from "vitest";
import { openBench, type PoolBench, type PoolLab } from "./node-pools/bench.ts";
import { steps } from "./node-pools/steps.ts";

/** What Pawl relies on of the port `NodePools`, whichever server stands behind it: one that knows both kinds, and runs pods. */
export function describeNodePools(name: string, openLab: () => Promise<PoolLab>): void {
  describe(`the node pools port on ${name}`, () => {
    let lab: PoolLab;
    let bench: PoolBench;
    const at = () => bench;

    beforeAll(async () => {
      lab = await openLab();
    });
    beforeEach(async () => {
      bench = await openBench(lab);
    });
    afterEach(() => bench.close());

    describe("steps", () => {
      steps(at);
    });
  });
}
