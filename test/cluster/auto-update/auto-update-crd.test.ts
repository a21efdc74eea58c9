import { CustomObjectsApi, type KubeConfig } from "@kubernetes/client-node";
import { afterEach, beforeAll, expect, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { installCrd } from "../../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { openAutoUpdateHarness } from "./auto-update-harness.ts";
import { createSuite } from "../suite.ts";
import { textsOf } from "../../support/problems.ts";

const optedIn = { [annotations.autoUpdate]: "true" };

const crdObject = {
  group: "apiextensions.k8s.io",
  version: "v1",
  plural: "customresourcedefinitions",
  name: "autoupdates.pawl.dev",
} as const;

/** Deletes the CRD, and with it every AutoUpdate. No other suite may run. */
async function deleteCrd(kubeConfig: KubeConfig): Promise<void> {
  await kubeConfig.makeApiClient(CustomObjectsApi).deleteClusterCustomObject(crdObject);
  await eventually("AutoUpdates are not served", async () => {
    const { code } = await rawRequest(kubeConfig, "GET", "/apis/pawl.dev/v1alpha1/autoupdates", {});
    return code === 404;
  });
}

interface Crd {
  readonly metadata: { readonly resourceVersion: string };
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: StatusSchema } }[] };
}

interface StatusSchema {
  readonly properties: Record<string, StatusSchema>;
}

/** Replaces the CRD by one of an older version, which does not know these fields (update.observedAt) of the status. Returns how to undo it. */
async function dropFields(kubeConfig: KubeConfig, names: readonly string[]): Promise<() => Promise<unknown>> {
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  const read = async () => (await custom.getClusterCustomObject(crdObject)) as Crd;
  const original = await read();
  const older = structuredClone(original);
  for (const { schema } of older.spec.versions)
    for (const path of names) deleteField(schema.openAPIV3Schema, ["status", ...path.split(".")]);
  await custom.replaceClusterCustomObject({ ...crdObject, body: older });
  return async () => {
    const { metadata } = await read();
    return custom.replaceClusterCustomObject({ ...crdObject, body: { ...original, metadata } });
  };
}

function deleteField({ properties }: StatusSchema, [name = "", ...rest]: readonly string[]): void {
  const found = properties[name];
  if (found === undefined) throw new Error(`the CRD has no ${name}`);
  if (rest.length === 0) delete properties[name];
  else deleteField(found, rest);
}

describeOnRealCluster("with a CRD of AutoUpdate of an older version", () => {
  const suite = createSuite();

  test("an update in progress ends, no new one starts, and the poll says what to apply", async () => {
    await suite.registry.pushImage("shop/older", ["1.0.0", "1.1.0"]);
    const harness = await openAutoUpdateHarness(suite);
    const pawl = await harness.startPawl();
    const image = (tag: string) => `${suite.registry.host}/shop/older:${tag}`;
    await harness.createPlain("Deployment", "web", image("1.0.0"), optedIn);
    await pawl.poll();
    await eventually("it is applied", async () => (await harness.deployment("web")).image === image("1.1.0"));
    const undo = await dropFields(harness.kubeConfig, ["state", "reason", "message", "gates", "candidateVersion"]);
    try {
      await eventually(
        "the update has ended",
        async () => (await harness.read("deployment-web"))?.status?.update === undefined,
      );
      expect((await harness.read("deployment-web"))?.status).toMatchObject({ currentVersion: "1.1.0" });

      await suite.registry.pushImage("shop/older", ["1.2.0"]);
      const message = expect.stringMatching(/drops status\..*run kubectl apply -k infra\/cluster\/crds/) as string;
      await eventually("the API server drops the fields", async () => (await pawl.poll()).failed.length === 1);
      for (let count = 0; count < 2; count += 1)
        expect(await pawl.poll()).toMatchObject({ started: 0, failed: [{ error: "CrdOutdated", message }] });
      expect((await harness.deployment("web")).image).toBe(image("1.1.0"));
    } finally {
      await undo();
    }
    await eventually("it is updated", async () => {
      await pawl.poll();
      return (await harness.deployment("web")).image === image("1.2.0");
    });
    await harness.settle(pawl);
    expect((await harness.read("deployment-web"))?.status).toMatchObject({
      state: "UpToDate",
      currentVersion: "1.2.0",
    });
  });
});

describeOnRealCluster("with a CRD of AutoUpdate that drops what the health timeout counts from", () => {
  const suite = createSuite();

  test("an update whose pods do not become ready says what to apply, and is judged by its pods", async () => {
    await suite.registry.pushImage("shop/untimed", ["1.0.0", "1.1.0-bad"]);
    const harness = await openAutoUpdateHarness(suite);
    const pawl = await harness.startPawl();
    const image = (tag: string) => `${suite.registry.host}/shop/untimed:${tag}`;
    const message = expect.stringMatching(
      /drops status\.update\.observedAt.*run kubectl apply -k infra\/cluster\/crds/,
    ) as string;
    const undo = await dropFields(harness.kubeConfig, ["update.observedAt"]);
    try {
      const policy = {
        [annotations.versionConstraint]: ">=1.0.0-0",
        [annotations.versioning]: "semver",
        [annotations.healthTimeout]: "1m",
      };
      await harness.createPlain("Deployment", "web", image("1.0.0"), { ...optedIn, ...policy });
      await eventually("it says what to apply", async () => {
        await harness.settle(pawl);
        return (await harness.read("deployment-web"))?.status?.backOff !== undefined;
      });
      const { status } = (await harness.read("deployment-web")) ?? {};
      expect(status).toMatchObject({ backOff: { reason: "Failed", message }, update: { phase: "Applied" } });
      expect(status?.failedVersions ?? []).toEqual([]);
      await eventually("it is rolled back, by the times that the pods themselves have", async () => {
        await harness.settle(pawl);
        return (await harness.workload("web")).image === image("1.0.0");
      });
    } finally {
      await undo();
    }
    await eventually("the version is blamed", async () => {
      await harness.settle(pawl);
      return (await harness.read("deployment-web"))?.status?.failedVersions !== undefined;
    });
    expect((await harness.read("deployment-web"))?.status?.failedVersions).toEqual(["1.1.0-bad"]);
  });
});

describeOnRealCluster("without the CRD of AutoUpdate", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
  });
  afterEach(() => installCrd(realKubeConfig(), "auto-update"));

  function image(tag: string): string {
    return `${suite.registry.host}/shop/good:${tag}`;
  }

  test("polls report one clear problem, and start updates once it is installed", async () => {
    const harness = await openAutoUpdateHarness(suite);
    await deleteCrd(harness.kubeConfig);
    const pawl = await harness.startPawl();
    await harness.createPlain("Deployment", "web", image("1.0.0"), optedIn);
    await harness.createPlain("StatefulSet", "store", image("1.0.0"), optedIn);
    for (let count = 0; count < 2; count += 1) {
      const report = await pawl.poll();
      expect(report).toMatchObject({ evaluated: 2, started: 0, recorded: 0, problems: 2, failures: 1, failed: [] });
    }
    for (const name of ["web", "store"]) {
      const { problems, image: runs } = await harness.workload(name);
      expect(textsOf(problems)).toEqual([expect.stringContaining("kubectl apply -k infra/cluster/crds")]);
      expect(runs).toBe(image("1.0.0"));
      expect(await harness.eventsOf(name)).toEqual([]);
    }

    await installCrd(harness.kubeConfig, "auto-update");
    await harness.settle(pawl, 2);
    expect(await harness.names()).toEqual(["deployment-web", "statefulset-store"]);
    for (const name of ["web", "store"]) expect((await harness.workload(name)).image).toBe(image("1.1.0"));
  });

  test("an update in progress when it is deleted: nothing is reverted or blamed", async () => {
    const harness = await openAutoUpdateHarness(suite);
    const pawl = await harness.startPawl();
    await harness.createPlain("Deployment", "web", image("1.0.0"), optedIn);
    await pawl.poll();
    await eventually("it is applied", async () => (await harness.deployment("web")).image === image("1.1.0"));
    await deleteCrd(harness.kubeConfig);
    await harness.settle(pawl, 2);
    expect((await harness.deployment("web")).image).toBe(image("1.1.0"));
    expect(await harness.eventsOf("web")).not.toContain("AutoUpdateRollback");
    await installCrd(harness.kubeConfig, "auto-update");
    await harness.settle(pawl, 2);
    expect((await harness.read("deployment-web"))?.status).toMatchObject({ currentVersion: "1.1.0" });
    expect((await harness.read("deployment-web"))?.status?.failedVersions ?? []).toEqual([]);
  });
});
