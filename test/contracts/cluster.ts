import type { KubeConfig } from "@kubernetes/client-node";
import { afterEach, beforeAll, beforeEach, describe } from "vitest";
import { testEvents } from "./cluster/events.ts";
import { type At, openHarness, type Harness } from "./cluster/harness.ts";
import { testUpdateRecord } from "./cluster/update-record.ts";
import { testCanaryPartition } from "./cluster/canary/partition.ts";
import { testNodeCanary } from "./cluster/canary/node.ts";
import { testBaseline } from "./cluster/canary/baseline.ts";
import { testCanary } from "./cluster/canary/canary.ts";
import { testCanaryState } from "./cluster/canary/state.ts";
import { canaryKinds } from "./cluster/canary/harness.ts";
import { testCanaryDeployment } from "./cluster/canary/beside.ts";
import { testClaims } from "./cluster/claims.ts";
import { testAutoUpdates } from "./cluster/auto-update/auto-updates.ts";
import { testChanges } from "./cluster/changing.ts";
import { testClaw } from "./cluster/claw/claw.ts";
import { testConfig } from "./cluster/config.ts";
import { testDigests } from "./cluster/digests.ts";
import { testListing } from "./cluster/listing.ts";
import { testListingAutoUpdates } from "./cluster/auto-update/listing.ts";
import { testConcurrentEdits } from "./cluster/concurrent-edits.ts";
import { testReading } from "./cluster/reading.ts";
import { testReadingClaw } from "./cluster/claw/reading.ts";
import { testReadingRecord } from "./cluster/reading-record.ts";
import { testRequests } from "./cluster/requests.ts";
import { testStuckPods } from "./cluster/stuck-pods.ts";
import { builtInKinds, kinds, type Select } from "./cluster-fixtures.ts";

type Connect = () => Promise<{ readonly kubeConfig: KubeConfig }>;

/**
 * The behaviour of the port `Cluster` with any API server, in parts that can run beside each other, for the kinds that `kindsOf` selects. The
 * server needs the CRDs of Claws and AutoUpdates, no operator that rejects foreign StatefulSets, and a kubelet under which images tagged `-bad` never become ready.
 * Its controllers keep ReplicaSets and ControllerRevisions.
 */
export function clusterContract(part: Part, name: string, connect: Connect, kindsOf: Select = (all) => all): void {
  describe(`the cluster port on ${name}: ${part}`, () => {
    let kubeConfig: KubeConfig;
    let harness: Harness;

    beforeAll(async () => {
      ({ kubeConfig } = await connect());
    });
    beforeEach(async () => {
      harness = await openHarness(kubeConfig);
    });
    afterEach(() => harness.close());
    parts[part](() => harness, kindsOf);
  });
}

type Part = keyof typeof parts;

const parts = {
  "records and requests": testRecords,
  workloads: testWorkloads,
  "canaries and digests": testCanariesAndDigests,
} as const;

function testRecords(at: At, kindsOf: Select): void {
  describe("reading the record of a Claw", () => {
    testReadingClaw(at);
  });
  describe.for(kindsOf(builtInKinds))("the AutoUpdate of a %s", (kind) => {
    testReadingRecord(at, kind);
    testClaims(at, kind);
    testAutoUpdates(at, kind);
  });
  describe.for(kindsOf(kinds))("update record, %s", (kind) => {
    testUpdateRecord(at, kind);
  });
  describe.for(kindsOf(kinds))("requests, %s", (kind) => {
    testRequests(at, kind);
  });
  describe.for(kindsOf(kinds))("events, %s", (kind) => {
    testEvents(at, kind);
  });
  describe.for(kindsOf(builtInKinds))("concurrent edits of a %s", (kind) => {
    testConcurrentEdits(at, kind);
  });
}

function testWorkloads(at: At, kindsOf: Select): void {
  describe.for(kindsOf(kinds))("listing, %s", (kind) => {
    testListing(at, kind);
  });
  describe("listing AutoUpdates", () => {
    testListingAutoUpdates(at);
  });
  describe.for(kindsOf(kinds))("reading, %s", (kind) => {
    testReading(at, kind);
  });
  describe.for(kindsOf(kinds))("changing, %s", (kind) => {
    testChanges(at, kind);
  });
  describe("a Claw", () => {
    testClaw(at);
  });
  describe("the configuration of a workload", () => {
    testConfig(at);
  });
  describe("stuck pods", () => {
    testStuckPods(at);
  });
}

function testCanariesAndDigests(at: At, kindsOf: Select): void {
  describe.for(kindsOf(canaryKinds))("a canary of a %s", (kind) => {
    testCanary(at, kind);
    testCanaryState(at, kind);
  });
  describe("the canary Deployment of a Deployment", () => {
    testCanaryDeployment(at);
  });
  describe("the baseline of a canary", () => {
    testBaseline(at);
  });
  describe("the canary of a StatefulSet", () => {
    testCanaryPartition(at);
  });
  describe("the canary of a DaemonSet", () => {
    testNodeCanary(at);
  });
  describe("digests", () => {
    testDigests(at, kindsOf);
  });
}
