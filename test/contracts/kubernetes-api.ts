import type { KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe } from "vitest";
import { openBench, type Bench } from "./kubernetes-api/bench.ts";
import { conflicts } from "./kubernetes-api/conflicts.ts";
import { controllers } from "./kubernetes-api/controllers.ts";
import { deletion } from "./kubernetes-api/deletion.ts";
import { eviction } from "./kubernetes-api/eviction.ts";
import { events } from "./kubernetes-api/events.ts";
import { generations } from "./kubernetes-api/generations.ts";
import { listing } from "./kubernetes-api/listing.ts";
import { patching } from "./kubernetes-api/patching.ts";
import { reading } from "./kubernetes-api/reading.ts";
import { statusIsolation } from "./kubernetes-api/status.ts";
import { watching } from "./kubernetes-api/watching.ts";
import { writing } from "./kubernetes-api/writing.ts";

/**
 * What Pawl relies on of a Kubernetes API server, whichever it is. Runs in a namespace and with a custom resource of its
 * own, so that it can share a server; it needs the controllers of apps/v1 and of PodDisruptionBudgets, and a node that runs pods.
 */
export function kubernetesApiContract(name: string, connect: () => Promise<{ kubeConfig: KubeConfig }>): void {
  describe(`${name} as a Kubernetes API`, () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = await openBench((await connect()).kubeConfig);
    });
    afterAll(() => bench.close());

    const at = () => bench;
    describe("reading", () => {
      reading(at);
    });
    describe("listing", () => {
      listing(at);
    });
    describe("writing", () => {
      writing(at);
    });
    describe("conflicts", () => {
      conflicts(at);
    });
    describe("patching", () => {
      patching(at);
    });
    describe("the generation", () => {
      generations(at);
    });
    describe("the status", () => {
      statusIsolation(at);
    });
    describe("deletion", () => {
      deletion(at);
    });
    describe("an eviction", () => {
      eviction(at);
    });
    describe("events", () => {
      events(at);
    });
    describe("a watch", () => {
      watching(at);
    });
    describe("the controllers of apps/v1", () => {
      controllers(at);
    });
  });
}
