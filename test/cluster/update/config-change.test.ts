import { CoreV1Api, CustomObjectsApi, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { annotations, imageUpdaterAnnotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { name, openDigestHarness } from "../digest/digest-harness.ts";
import { createSuite } from "../suite.ts";

const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);

describeOnRealCluster("a workload whose configuration changes", () => {
  const suite = createSuite();

  test("is restarted once for several changes, and not for keys that it does not use", async () => {
    const repository = "shop/configured";
    await suite.registry.push(repository, "1.0.0");
    const environment = { PAWL_CONFIG_SECRETS: "true" };
    const harness = await openDigestHarness(suite, { repository, tag: "1.0.0", environment });
    const { namespace } = harness;
    const core = harness.kubeConfig.makeApiClient(CoreV1Api);
    const metadata = (own: string) => ({ name: own, namespace });
    await core.createNamespacedConfigMap({
      namespace,
      body: { metadata: metadata("settings"), data: { LEVEL: "info", unused: "1" } },
    });
    await core.createNamespacedSecret({ namespace, body: { metadata: metadata("login"), stringData: { user: "a" } } });
    const change = async (data: Record<string, string>, user: string) => {
      await core.replaceNamespacedConfigMap({
        name: "settings",
        namespace,
        body: { metadata: metadata("settings"), data },
      });
      const login = { metadata: metadata("login"), stringData: { user } };
      await core.replaceNamespacedSecret({ name: "login", namespace, body: login });
    };
    const level = { name: "LEVEL", valueFrom: { configMapKeyRef: { name: "settings", key: "LEVEL" } } };
    await harness.createTracked("Deployment", {
      annotations: { [imageUpdaterAnnotations.enabled]: "false", [annotations.restartOnConfigChange]: "true" },
      container: {
        env: [level],
        envFrom: [{ secretRef: { name: "login" } }, { configMapRef: { name: "later", optional: true } }],
      },
    });
    expect(await harness.poll()).toBe(0);

    await change({ LEVEL: "info", unused: "2" }, "a");
    expect(await harness.poll()).toBe(0);
    expect(await harness.template("Deployment")).toMatchObject({ restartedAt: undefined });

    await change({ LEVEL: "debug", unused: "2" }, "b");
    expect(await harness.poll(2)).toBe(1);
    expect(await harness.poll()).toBe(0);
    const { restartedAt, image } = await harness.template("Deployment");
    expect([typeof restartedAt, image]).toEqual(["string", harness.image]);
    const { updateRecord, inFlight } = await harness.workload(name);
    expect(inFlight).toBeNull();
    expect(
      updateRecord.versionHistory.map(({ version, status }) => [version.replace(/[0-9a-f]{32}$/, ""), status]),
    ).toEqual([["1.0.0@config:", "Healthy"]]);
    expect(await harness.eventsOf(name)).toEqual(["AutoUpdateAvailable", "AutoUpdateStarting", "AutoUpdateComplete"]);

    await core.createNamespacedConfigMap({ namespace, body: { metadata: metadata("later"), data: { MODE: "x" } } });
    expect(await harness.poll()).toBe(1);

    await change({ LEVEL: "warn", unused: "2" }, "b");
    const { ref } = await harness.workload(name);
    const body = { metadata: { annotations: { [annotations.request]: "restart t-1" } } };
    const at = {
      group: "pawl.dev",
      version: "v1alpha1",
      plural: "autoupdates",
      namespace,
      name: `deployment-${ref.name}`,
    };
    await harness.kubeConfig.makeApiClient(CustomObjectsApi).patchNamespacedCustomObject({ ...at, body }, merge);
    expect(await harness.poll()).toBe(1);
    const asked = await harness.workload(name);
    expect(asked.lastRequest?.result).toMatch(/^restart is requested: execution /);
    expect(asked.updateRecord.versionHistory.at(-1)).toMatchObject({ status: "Healthy" });
    expect(await harness.poll()).toBe(0);

    await core.deleteNamespacedSecret({ name: "login", namespace });
    expect(await harness.poll()).toBe(0);
    await eventually(
      "the missing Secret is reported",
      async () =>
        (await harness.workload(name)).lastReported.problem?.startsWith("secret/login: does not exist") === true,
    );
    await harness.close();
  });
});
