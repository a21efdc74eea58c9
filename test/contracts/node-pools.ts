import type { KubeConfig } from "@kubernetes/client-node";
import { afterEach, beforeAll, beforeEach, describe } from "vitest";
import { testPoolEvents } from "./node-pools/events.ts";
import { openHarness, type PoolHarness } from "./node-pools/harness.ts";
import { claims } from "./node-pools/claims.ts";
import { evictions } from "./node-pools/evictions.ts";
import { reads } from "./node-pools/reading.ts";
import { secrets } from "./node-pools/secrets.ts";
import { statuses } from "./node-pools/statuses.ts";
import { steps } from "./node-pools/steps.ts";

/** The contract of the port `NodePools`, on any server that serves both kinds and runs pods. */
export function describeNodePools(name: string, openServer: () => Promise<KubeConfig>): void {
  describe(`NodePools on ${name}`, () => {
    let server: KubeConfig;
    let harness: PoolHarness;
    const getHarness = () => harness;

    beforeAll(async () => {
      server = await openServer();
    });
    beforeEach(async () => {
      harness = await openHarness(server);
    });
    afterEach(() => harness.close());

    describe("reading", () => {
      reads(getHarness);
    });
    describe("steps", () => {
      steps(getHarness);
    });
    describe("claims", () => {
      claims(getHarness);
    });
    describe("statuses", () => {
      statuses(getHarness);
    });
    describe("pods and evictions", () => {
      evictions(getHarness);
    });
    describe("the hash of a pull secret", () => {
      secrets(getHarness);
    });
    describe("Events", () => {
      testPoolEvents(getHarness);
    });
  });
}
