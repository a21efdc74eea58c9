import type { KubeConfig } from "@kubernetes/client-node";
import { afterEach, beforeAll, beforeEach, describe } from "vitest";
import { announcing } from "./cluster/announcing.ts";
import { openBench, type Bench } from "./cluster/bench.ts";
import { bookkeepingFields } from "./cluster/bookkeeping.ts";
import { canaries, canaryNotes } from "./cluster/canary.ts";
import { canaryKinds } from "./cluster/canary-bench.ts";
import { canaryBeside } from "./cluster/canary-beside.ts";
import { changing } from "./cluster/changing.ts";
import { claw } from "./cluster/claw.ts";
import { digests } from "./cluster/digests.ts";
import { listing } from "./cluster/listing.ts";
import { otherHands } from "./cluster/other-hands.ts";
import { reading } from "./cluster/reading.ts";
import { stuckPods } from "./cluster/stuck-pods.ts";
import { builtInKinds, kinds } from "./cluster-fixtures.ts";

/**
 * What Pawl relies on of the port `Cluster`, whichever server stands behind it. The server has the Claw CRD and no
 * operator that minds a StatefulSet made by others, and a kubelet under which images tagged `-bad` never become ready.
 */
export function clusterContract(name: string, connect: () => Promise<{ readonly kubeConfig: KubeConfig }>): void {
  describe(`the cluster port on ${name}`, () => {
    let kubeConfig: KubeConfig;
    let bench: Bench;
    const at = () => bench;

    beforeAll(async () => {
      ({ kubeConfig } = await connect());
    });
    beforeEach(async () => {
      bench = await openBench(kubeConfig);
    });
    afterEach(() => bench.close());

    describe.for(kinds)("listing, %s", (kind) => {
      listing(at, kind);
    });
    describe.for(kinds)("reading, %s", (kind) => {
      reading(at, kind);
    });
    describe.for(kinds)("changing, %s", (kind) => {
      changing(at, kind);
    });
    describe.for(kinds)("bookkeeping, %s", (kind) => {
      bookkeepingFields(at, kind);
    });
    describe.for(kinds)("announcing, %s", (kind) => {
      announcing(at, kind);
    });
    describe.for(builtInKinds)("other people's hands on a %s", (kind) => {
      otherHands(at, kind);
    });
    describe.for(canaryKinds)("a canary of a %s", (kind) => {
      canaries(at, kind);
      canaryNotes(at, kind);
    });
    describe("the Deployment beside a Deployment", () => {
      canaryBeside(at);
    });
    describe("a Claw", () => {
      claw(at);
    });
    describe("digests", () => {
      digests(at);
    });
    describe("stuck pods", () => {
      stuckPods(at);
    });
  });
}
