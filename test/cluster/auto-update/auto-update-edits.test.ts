import { imageTarget } from "../../support/workloads.ts";
import { beforeAll, describe, test } from "vitest";
import type {
  AutoUpdateStatus,
  UpdateStatus,
} from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { everyNth } from "../../support/property-runs.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { type AutoUpdateHarness, openAutoUpdateHarness, targetRef } from "./auto-update-harness.ts";
import { createSuite } from "../suite.ts";

const name = "deployment-web";
const policy = { versionConstraint: ">=1.0.0-0", versioning: "semver" };

/** What a person does to the AutoUpdate. */
const edits: Readonly<Record<string, (harness: AutoUpdateHarness, image: (tag: string) => string) => Promise<void>>> = {
  emptied: (harness) => harness.replaceStatus(name, {}),
  deleted: (harness) => harness.delete(name),
  "edited to another target": (harness, image) =>
    editUpdate(harness, (update) => ({ ...update, target: imageTarget(image("1.0.5")) })),
  "edited to another repository": (harness) =>
    editUpdate(harness, (update) => ({ ...update, target: imageTarget("registry.invalid/shop/evil:9.0.0") })),
  "edited to another object": (harness) => editUpdate(harness, (update) => ({ ...update, targetUID: "0-0-0" })),
  "edited to an execution that does not exist": (harness) =>
    editUpdate(harness, (update) => ({ ...update, execution: "nobody" })),
  "edited to another phase": (harness) =>
    editUpdate(harness, (update) => ({ ...update, phase: update.phase === "Claimed" ? "Applied" : "Claimed" })),
};

/** Edits the update in flight; while idle, the version that is recorded. */
async function editUpdate(harness: AutoUpdateHarness, edit: (update: UpdateStatus) => UpdateStatus): Promise<void> {
  const { update, ...status } = (await harness.read(name))?.status ?? {};
  const edited = update === undefined ? { currentVersion: "1.0.5" } : { update: edit(update) };
  await harness.replaceStatus(name, { ...status, ...edited });
}

/** The claim of a process that was killed. */
const killed = { holder: "local:elsewhere:1", expiresAt: "2020-01-01T00:00:00Z", execution: "killed" };

describeOnRealCluster("an AutoUpdate that a person edits, empties or deletes", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.0.5", "1.1.0"]);
  });

  function image(tag: string): string {
    return `${suite.registry.host}/shop/good:${tag}`;
  }

  /** Brings an update of a Deployment to a phase. */
  const phases: Readonly<Record<string, (harness: AutoUpdateHarness) => Promise<void>>> = {
    idle: async (harness) => {
      const pawl = await harness.startPawl();
      await harness.settle(pawl);
    },
    claimed: (harness) => claim(harness, { phase: "Claimed", strategy: "Rolling" }),
    applied: async (harness) => {
      await claim(harness, { phase: "Applied", strategy: "Rolling" });
      await harness.setImage("web", image("1.1.0"));
    },
    canary: (harness) => stopAt(harness, "WaitForCanary"),
    "rolling back": async (harness) => {
      await claim(harness, { phase: "RollingBack", strategy: "Rolling", restorePending: true });
      await harness.setImage("web", image("1.1.0"));
    },
  };

  async function claim(
    harness: AutoUpdateHarness,
    update: Pick<UpdateStatus, "phase" | "strategy" | "restorePending">,
  ) {
    const { uid } = (await harness.workload("web")).ref;
    const status: AutoUpdateStatus = {
      observedGeneration: 1,
      currentVersion: "1.0.0",
      availableVersion: "1.1.0",
      update: {
        ...killed,
        ...update,
        target: imageTarget(image("1.1.0")),
        previousImage: image("1.0.0"),
        targetUID: uid,
        targetGeneration: (await harness.deployment("web")).generation,
        startedAt: new Date().toISOString().replace(/\.\d+/, ""),
      },
    };
    await harness.replaceStatus(name, status);
  }

  /** Starts an update, and ends its Pawl when the execution enters a state. */
  async function stopAt(harness: AutoUpdateHarness, state: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const pawl = await harness.startPawl((change) => change.state === state && resolve());
    await pawl.poll();
    await promise;
    await pawl.close();
  }

  const all = Object.keys(phases).flatMap((phase) => Object.keys(edits).map((edit) => ({ phase, edit })));
  const cases = everyNth(3, all);

  describe.concurrent("in a namespace of its own", () => {
    test.for(cases)("$phase: $edit", async ({ phase, edit }, { expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      await harness.createPlain("Deployment", "web", image("1.0.0"), {
        [annotations.autoUpdate]: "true",
        [annotations.versionConstraint]: policy.versionConstraint,
        [annotations.versioning]: policy.versioning,
        ...(phase === "canary" ? { [annotations.canary]: "1" } : {}),
      });
      await harness.write(name);
      await phases[phase]?.(harness);
      await edits[edit]?.(harness, image);

      const pawl = await harness.startPawl();
      await harness.settle(pawl, 4);
      const { status } = (await harness.read(name)) ?? {};
      expect(await harness.deployments()).toEqual(["web"]);
      expect(status?.update).toBeUndefined();
      // No update was observed failing, so no version is blamed; a rollback that was recorded had been counted before.
      expect({ failed: status?.failedVersions ?? [], count: status?.rollbackCount ?? 0 }).toEqual({
        failed: [],
        count: 0,
      });
      expect(status?.circuitOpen ?? false).toBe(false);
      expect((status?.history ?? []).map(({ result }) => result).filter((result) => result !== "Healthy")).toEqual([]);
      expect((await harness.deployment("web")).image).toMatch(new RegExp(`^${image("1.(0.0|0.5|1.0)")}$`));
      // An execution that an edit of its target ends is started again after a back-off.
      const ready = await harness.condition(name, "Ready");
      expect(ready).toMatchObject(ready?.reason === "Interrupted" ? { status: "False" } : { status: "True" });
    });

    test.for([
      { kind: "Deployment", autoUpdate: "deployment-web" },
      { kind: "StatefulSet", autoUpdate: "statefulset-web" },
    ] as const)(
      "deleted with its policy, during the canary of a $kind: all replicas run what they ran before",
      async ({ kind, autoUpdate }, { expect }) => {
        const harness = await openAutoUpdateHarness(suite);
        await harness.createPlain(kind, "web", image("1.0.0"));
        const spec = { targetRef: { ...targetRef, kind }, policy: { canary: "1" } };
        expect(await harness.write(autoUpdate, spec)).toMatchObject({ code: 201 });
        await stopAt(harness, "WaitForCanary");
        await harness.delete(autoUpdate);
        await harness.settle(await harness.startPawl(), 2);
        expect(await harness.deployments()).toEqual(kind === "Deployment" ? ["web"] : []);
        expect(await harness.imageOf(kind, "web")).toBe(image("1.0.0"));
        expect(await harness.names()).toEqual([]);
        if (kind === "Deployment") return;
        const { metadata, spec: set } = await harness.statefulSet("web");
        expect(set?.updateStrategy?.rollingUpdate?.partition ?? 0).toBe(0);
        expect(metadata?.annotations).not.toHaveProperty([annotations.canaryPartition]);
      },
    );

    test.for([
      { edit: "emptied", apply: (harness: AutoUpdateHarness) => harness.replaceStatus("statefulset-store", {}) },
      { edit: "deleted", apply: (harness: AutoUpdateHarness) => harness.delete("statefulset-store") },
    ])("the canary of a StatefulSet: $edit", async ({ apply }, { expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const own = { [annotations.autoUpdate]: "true", [annotations.canary]: "1" };
      await harness.createPlain("StatefulSet", "store", image("1.0.0"), own);
      await stopAt(harness, "WaitForCanary");
      await apply(harness);
      await harness.settle(await harness.startPawl(), 4);
      const { status } = (await harness.read("statefulset-store")) ?? {};
      const { metadata, spec } = await harness.statefulSet("store");
      expect(status?.update).toBeUndefined();
      expect(status?.failedVersions ?? []).toEqual([]);
      expect(spec?.updateStrategy?.rollingUpdate?.partition ?? 0).toBe(0);
      expect(metadata?.annotations).not.toHaveProperty([annotations.canaryPartition]);
      expect((await harness.workload("store")).image).toMatch(/:1\.(0\.0|1\.0)$/);
    });
  });
});
