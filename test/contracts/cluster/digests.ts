import { describe } from "vitest";
import { builtInKinds } from "../cluster-fixtures.ts";
import type { At } from "./bench.ts";
import { listedByDigest } from "./digests/listing.ts";
import { pins } from "./digests/pins.ts";
import { pullLogins } from "./digests/pull-logins.ts";
import { followedContainers, knownDigests } from "./digests/reading.ts";
import { runningDigests } from "./digests/running.ts";
import { finalizers, pullPolicy, restarting } from "./digests/writing.ts";

/** What is said of a workload that is kept at the digests behind its tags. */
export function digests(at: At): void {
  describe.for(builtInKinds)("a %s followed by digest", (kind) => {
    listedByDigest(at, kind);
    restarting(at, kind);
    pullPolicy(at, kind);
    pins(at, kind);
    finalizers(at, kind);
  });
  // Read by the same code whatever the kind: the others are read on the embedded cluster alone, where that is quick.
  describe("what is known of a StatefulSet followed by digest", () => {
    followedContainers(at, "StatefulSet");
    knownDigests(at, "StatefulSet");
  });
  describe("running digests", () => {
    runningDigests(at);
  });
  describe("logins of pull secrets", () => {
    pullLogins(at);
  });
}
