import { beforeAll, expect, test } from "vitest";
import {
  imageUpdaterAnnotations,
  imageUpdaterFinalizer,
} from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { tickImageUpdater } from "../../support/real/image-updater.ts";
import { type Kind, openObjects } from "../../support/kubectl/objects.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { byDigest, createManifest } from "../manual-changes/manifest.ts";
import { openStage, type Stage } from "../manual-changes/stage.ts";
import { createSuite } from "../suite.ts";

interface Row {
  readonly name: string;
  readonly kind: Kind;
  /** What its first release wrote. */
  readonly isLegacy?: true;
  readonly hasSidecar?: true;
  readonly annotations?: Readonly<Record<string, string>>;
}

const rows: readonly Row[] = [
  { name: "deployment", kind: "Deployment" },
  { name: "stateful-set", kind: "StatefulSet" },
  { name: "daemon-set", kind: "DaemonSet" },
  { name: "legacy-format", kind: "Deployment", isLegacy: true },
  { name: "two-containers", kind: "Deployment", hasSidecar: true },
  {
    name: "one-container-tracked",
    kind: "StatefulSet",
    hasSidecar: true,
    annotations: { [imageUpdaterAnnotations.trackContainers]: "app" },
  },
];

/** By what happened, how often each workload was restarted. */
type Restarts = Readonly<Record<string, Readonly<Record<string, number>>>>;

describeOnRealCluster("switching from kubernetes-image-updater to Pawl, and back", () => {
  const suite = createSuite();
  let stage: Stage;
  let restarts: Restarts;

  beforeAll(async () => {
    stage = await openStage(suite);
    restarts = await switchBackAndForth();
  });

  async function switchBackAndForth(): Promise<Restarts> {
    const { kubectl, kubeConfig, namespace, now } = stage;
    const objects = openObjects(kubeConfig, namespace);
    const push = async () => void (await suite.registry.push("shop/switched", "prod"));
    // A controller may write a status between the list of a poll and its record: the next poll records it.
    const poll = async () => {
      for (;;) {
        const failed = await stage.poll();
        expect(failed.filter((one) => !one.endsWith("has changed since it was read; read it again"))).toEqual([]);
        if (failed.length === 0) return;
      }
    };
    const tick = async () => {
      await Promise.all(rows.map(({ kind, name }) => tickImageUpdater({ objects, kind, name, now })));
    };
    const countRestarts = async (...steps: readonly (() => Promise<void>)[]) => {
      const before = await readGenerations();
      for (const step of steps) await step();
      const after = await readGenerations();
      return Object.fromEntries(rows.map(({ name }) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)]));
    };

    await push();
    await suite.registry.push("shop/sidecar", "prod");
    await Promise.all(rows.map((row) => kubectl.create(manifestOf(row))));
    await Promise.all(
      rows.map(({ kind, name, isLegacy }) =>
        tickImageUpdater({ objects, kind, name, now, format: isLegacy ? "bare" : "map" }),
      ),
    );
    return {
      "Pawl takes over": await countRestarts(poll, poll),
      "Pawl, after a push": await countRestarts(push, poll, poll),
      "image-updater takes over": await countRestarts(tick, tick),
      "image-updater, after a push": await countRestarts(push, tick, tick),
      "Pawl takes over again": await countRestarts(poll, poll),
      "Pawl, after another push": await countRestarts(push, poll, poll),
      "image-updater takes over again": await countRestarts(tick, tick),
    };
  }

  async function readGenerations(): Promise<ReadonlyMap<string, number>> {
    const read = async ({ kind, name }: Row) =>
      [name, (await stage.kubectl.get(kind, name)).metadata.generation ?? 0] as const;
    return new Map(await Promise.all(rows.map(read)));
  }

  function manifestOf({ kind, name, hasSidecar, annotations = {} }: Row) {
    const image = (repository: string) => `${suite.registry.host}/shop/${repository}:prod`;
    const manifest = createManifest({
      kind,
      name,
      image: image("switched"),
      annotations: { ...byDigest, ...annotations },
    });
    const { template } = manifest.spec;
    const sidecar = hasSidecar ? [{ name: "sidecar", image: image("sidecar") }] : [];
    const containers = [...template.spec.containers, ...sidecar];
    return {
      ...manifest,
      spec: { ...manifest.spec, template: { ...template, spec: { ...template.spec, containers } } },
    };
  }

  test.for([
    { when: "Pawl takes over", times: 0 },
    { when: "Pawl, after a push", times: 1 },
    { when: "image-updater takes over", times: 0 },
    { when: "image-updater, after a push", times: 1 },
    { when: "Pawl takes over again", times: 0 },
    { when: "Pawl, after another push", times: 1 },
    { when: "image-updater takes over again", times: 0 },
  ])("$when: $times restarts", ({ when, times }) => {
    expect(restarts[when]).toEqual(Object.fromEntries(rows.map(({ name }) => [name, times])));
  });

  test("an execution removes the finalizer of a workload that is being deleted", async () => {
    const { kubectl, started } = stage;
    const before = started.size;
    const deleted = Promise.all(rows.map(({ kind, name }) => kubectl.delete(kind, name)));
    await eventually("all are being deleted", async () => {
      const found = await Promise.all(rows.map(({ kind, name }) => kubectl.get(kind, name)));
      return found.every(
        ({ metadata }) => metadata.deletionTimestamp && metadata.finalizers?.[0] === imageUpdaterFinalizer,
      );
    });
    expect(await stage.poll()).toEqual([]);
    await deleted;
    expect(started.size - before).toBe(rows.length);
  });
});
