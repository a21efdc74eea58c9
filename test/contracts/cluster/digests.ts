import { describe } from "vitest";
import { builtInKinds, type Select } from "../cluster-fixtures.ts";
import type { At } from "./harness.ts";
import { testDigestListing } from "./digests/listing.ts";
import { testPins } from "./digests/pins.ts";
import { testPullSecrets } from "./digests/pull-secrets.ts";
import { testTrackedContainers, testKnownDigests } from "./digests/reading.ts";
import { testRunningDigests } from "./digests/running.ts";
import { testFinalizers, testPullPolicy, testRestarts } from "./digests/writing.ts";

/** Tests workloads that are tracked by digest. */
export function testDigests(at: At, kindsOf: Select): void {
  describe.for(kindsOf(builtInKinds))("a %s tracked by digest", (kind) => {
    testDigestListing(at, kind);
    testRestarts(at, kind);
    testPullPolicy(at, kind);
    testPins(at, kind);
    testFinalizers(at, kind);
  });
  // The same code reads all kinds; the other kinds are tested on the embedded cluster only, which is faster.
  describe("the digests of a StatefulSet tracked by digest", () => {
    testTrackedContainers(at, "StatefulSet");
    testKnownDigests(at, "StatefulSet");
  });
  describe("running digests", () => {
    testRunningDigests(at);
  });
  describe("credentials of pull secrets", () => {
    testPullSecrets(at);
  });
}
