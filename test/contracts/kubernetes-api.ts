import type { KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe } from "vitest";
import { openHarness, type Harness } from "./kubernetes-api/harness.ts";
import { testConflicts } from "./kubernetes-api/conflicts.ts";
import { testControllers } from "./kubernetes-api/controllers.ts";
import { testDeletion } from "./kubernetes-api/deletion.ts";
import { testEviction } from "./kubernetes-api/eviction.ts";
import { testEvents } from "./kubernetes-api/events.ts";
import { testGenerations } from "./kubernetes-api/generations.ts";
import { testListing } from "./kubernetes-api/listing.ts";
import { testPatching } from "./kubernetes-api/patching.ts";
import { testReading } from "./kubernetes-api/reading.ts";
import { testStatus } from "./kubernetes-api/status.ts";
import { testWatching } from "./kubernetes-api/watching.ts";
import { testWriting } from "./kubernetes-api/writing.ts";

/**
 * The behaviour of a Kubernetes API server that Pawl relies on. Runs in a namespace and with a custom resource of its
 * own, so that it can share a server; it needs the controllers of apps/v1 and of PodDisruptionBudgets, and a node that runs pods.
 */
export function kubernetesApiContract(name: string, connect: () => Promise<{ kubeConfig: KubeConfig }>): void {
  describe(`${name} as a Kubernetes API`, () => {
    let harness: Harness;
    beforeAll(async () => {
      harness = await openHarness((await connect()).kubeConfig);
    });
    afterAll(() => harness.close());

    const at = () => harness;
    describe("reading", () => {
      testReading(at);
    });
    describe("listing", () => {
      testListing(at);
    });
    describe("writing", () => {
      testWriting(at);
    });
    describe("conflicts", () => {
      testConflicts(at);
    });
    describe("patching", () => {
      testPatching(at);
    });
    describe("the generation", () => {
      testGenerations(at);
    });
    describe("the status", () => {
      testStatus(at);
    });
    describe("deletion", () => {
      testDeletion(at);
    });
    describe("an eviction", () => {
      testEviction(at);
    });
    describe("events", () => {
      testEvents(at);
    });
    describe("a watch", () => {
      testWatching(at);
    });
    describe("the controllers of apps/v1", () => {
      testControllers(at);
    });
  });
}
