import { imageTarget } from "../../support/workloads.ts";
import { beforeAll, describe, expect as matchers, test } from "vitest";
import type {
  AutoUpdateStatus,
  UpdateStatus,
} from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { openAutoUpdateHarness } from "./auto-update-harness.ts";
import { createSuite } from "../suite.ts";

const name = "deployment-web";

/** As the conditions were when the backup was made. */
const ready = {
  type: "Ready",
  status: "True",
  observedGeneration: 1,
  lastTransitionTime: "2020-01-01T00:00:00Z",
  reason: "AtRest",
  message: "running 1.0.0",
} as const;

interface Case {
  readonly when: string;
  /** The tag that the restored workload runs. */
  readonly runs: string;
  readonly status: (image: (tag: string) => string, uid: string) => AutoUpdateStatus;
  readonly expected: { readonly tag: string; readonly status: object };
}

/** An update that was in progress when the backup was made. */
function inProgress(image: (tag: string) => string, targetUID: string, tag = "1.1.0"): UpdateStatus {
  return {
    phase: "Applied",
    strategy: "Rolling",
    holder: "local:elsewhere:1",
    execution: "long-ago",
    expiresAt: "2020-01-01T01:00:00Z",
    target: imageTarget(image(tag)),
    previousImage: image("1.0.0"),
    targetUID,
    targetGeneration: 1,
    startedAt: "2020-01-01T00:00:00Z",
  };
}

const cases: readonly Case[] = [
  {
    when: "a failed version stays excluded",
    runs: "1.0.0",
    status: () => ({ currentVersion: "1.0.0", failedVersions: ["1.1.0", "1.0.5"] }),
    expected: { tag: "1.0.0", status: { currentVersion: "1.0.0", failedVersions: ["1.1.0", "1.0.5"] } },
  },
  {
    when: "an open circuit stays open",
    runs: "1.0.0",
    status: () => ({ currentVersion: "1.0.0", rollbackCount: 3, circuitOpen: true }),
    expected: { tag: "1.0.0", status: { circuitOpen: true, availableVersion: "1.1.0" } },
  },
  {
    when: "the workload is newer than the status",
    runs: "1.1.0",
    status: () => ({ currentVersion: "1.0.0", availableVersion: "1.0.5" }),
    expected: { tag: "1.1.0", status: {} },
  },
  {
    when: "the workload is older than the status: an earlier version was restored",
    runs: "1.0.0",
    status: () => ({ currentVersion: "1.1.0", availableVersion: "1.1.0" }),
    expected: { tag: "1.0.0", status: { currentVersion: "1.1.0", holdReason: matchers.stringMatching(/./) } },
  },
  {
    when: "an update was in progress, and the workload has another uid",
    runs: "1.0.0",
    status: (image) => ({
      currentVersion: "1.0.0",
      failedVersions: ["1.1.0", "1.0.5"],
      update: inProgress(image, "0-0-0"),
    }),
    expected: { tag: "1.0.0", status: { currentVersion: "1.0.0", failedVersions: ["1.1.0", "1.0.5"] } },
  },
  {
    when: "an update was in progress, and has been completed since",
    runs: "1.1.0",
    status: (image, uid) => ({ currentVersion: "1.0.0", update: inProgress(image, uid) }),
    expected: { tag: "1.1.0", status: { currentVersion: "1.1.0", history: [{ version: "1.1.0", result: "Healthy" }] } },
  },
  {
    when: "an update was in progress, and the workload was restored to the version before it",
    runs: "1.0.0",
    status: (image, uid) => ({ currentVersion: "1.0.0", update: inProgress(image, uid) }),
    expected: { tag: "1.0.0", status: { currentVersion: "1.0.0", minimumVersion: "1.1.0" } },
  },
  {
    when: "an update was in progress, and a later one has been completed since",
    runs: "1.1.0",
    status: (image, uid) => ({ currentVersion: "1.0.0", update: inProgress(image, uid, "1.0.5") }),
    expected: { tag: "1.1.0", status: {} },
  },
];

describeOnRealCluster("an AutoUpdate that is restored from a backup with an old status", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.0.5", "1.1.0"]);
  });

  function image(tag: string): string {
    return `${suite.registry.host}/shop/good:${tag}`;
  }

  describe.concurrent("in a namespace of its own", () => {
    test.for(cases)("$when", async ({ runs, status, expected }, { expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const pawl = await harness.startPawl();
      await harness.createPlain("Deployment", "web", image(runs), { [annotations.autoUpdate]: "true" });
      // Velero restores labels, and drops owner references.
      await harness.write(name);
      await harness.edit(name, { metadata: { labels: { "app.kubernetes.io/managed-by": "pawl" } } });
      const { uid } = (await harness.workload("web")).ref;
      await harness.replaceStatus(name, { observedGeneration: 1, conditions: [ready], ...status(image, uid) });
      await harness.settle(pawl, 3);
      const restored = (await harness.read(name))?.status;
      expect((await harness.deployment("web")).image).toBe(image(expected.tag));
      expect(restored).toMatchObject(expected.status);
      expect(restored?.update).toBeUndefined();
      const blamed = status(image, uid).failedVersions ?? [];
      expect(restored?.failedVersions ?? []).toEqual(blamed);
      expect((await harness.read(name))?.metadata.ownerReferences).toMatchObject([
        { kind: "Deployment", name: "web", uid },
      ]);
      const isOpen = restored?.circuitOpen === true;
      expect(await harness.condition(name, "Ready")).toMatchObject({ status: isOpen ? "False" : "True" });
    });
  });
});
