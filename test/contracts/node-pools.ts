import { afterEach, beforeAll, beforeEach, describe } from "vitest";
import { announcing } from "./node-pools/announcing.ts";
import { openBench, type PoolBench, type PoolLab } from "./node-pools/bench.ts";
import { claims } from "./node-pools/claims.ts";
import { evictions } from "./node-pools/evictions.ts";
import { reading } from "./node-pools/reading.ts";
import { secrets } from "./node-pools/secrets.ts";
import { statuses } from "./node-pools/statuses.ts";
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

    describe("reading", () => {
      reading(at);
    });
    describe("steps", () => {
      steps(at);
    });
    describe("claims", () => {
      claims(at);
    });
    describe("statuses", () => {
      statuses(at);
    });
    describe("pods and evictions", () => {
      evictions(at);
    });
    describe("the hash of a pull secret", () => {
      secrets(at);
    });
    describe("announcing", () => {
      announcing(at);
    });
  });
}
