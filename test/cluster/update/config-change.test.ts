import { setTimeout } from "node:timers/promises";
import {
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
} from "@kubernetes/client-node";
import { expect, test } from "vitest";
import {
  annotations,
  imageUpdaterAnnotations,
  restartedAtAnnotation,
} from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { name, openDigestHarness } from "../digest/digest-harness.ts";
import { createSuite } from "../suite.ts";

const optIn = { [imageUpdaterAnnotations.enabled]: "false", [annotations.restartOnConfigChange]: "true" };

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
      annotations: { ...optIn, [annotations.settleTime]: "0s", [annotations.minimumInterval]: "0s" },
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

  test("waits until it has settled; of many workloads a few restart at a time, and one that changes often is reported once", async () => {
    const repository = "shop/shared";
    await suite.registry.push(repository, "1.0.0");
    // The default limits.
    const environment = { PAWL_LIMITS: "{}" };
    const harness = await openDigestHarness(suite, { repository, tag: "1.0.0", environment });
    const { namespace, image } = harness;
    const core = harness.kubeConfig.makeApiClient(CoreV1Api);
    const objects = KubernetesObjectApi.makeApiClient(harness.kubeConfig);
    const mapOf = (own: string, level: string) => ({ metadata: { name: own, namespace }, data: { LEVEL: level } });
    const edit = (own: string, level: string) =>
      core.replaceNamespacedConfigMap({ name: own, namespace, body: mapOf(own, level) });
    for (const own of ["shared", "hot"]) await core.createNamespacedConfigMap({ namespace, body: mapOf(own, "0") });
    const names = Array.from({ length: 25 }, (_, index) => `sharing-${index}`);
    const settle = { ...optIn, [annotations.healthTimeout]: "1h", [annotations.minimumInterval]: "1d" };
    // The clock of this Pawl is 20 times as fast.
    const settled = () => setTimeout(2000);
    for (const own of [...names, "unsteady"]) {
      const envFrom = [{ configMapRef: { name: own === "unsteady" ? "hot" : "shared" } }];
      await objects.create(deploymentOf(own, namespace, { image, envFrom }, settle));
    }
    const apps = harness.kubeConfig.makeApiClient(AppsV1Api);
    const restarted = async () => {
      const { items } = await apps.listNamespacedDeployment({ namespace });
      return items
        .filter(({ spec }) => spec?.template.metadata?.annotations?.[restartedAtAnnotation] !== undefined)
        .map(({ metadata }) => metadata?.name ?? "");
    };
    await eventually("all are ready", async () => {
      const { items } = await apps.listNamespacedDeployment({ namespace });
      return items.length === 26 && items.every(({ status }) => status?.readyReplicas === 1);
    });
    expect(await harness.poll()).toBe(0);

    await edit("shared", "1");
    await edit("hot", "1");
    expect(await harness.poll()).toBe(0);
    const first = await harness.workload("sharing-0");
    expect([first.evaluated?.reason, first.gates?.map(({ reason }) => reason)]).toEqual([
      "RestartDelayed",
      ["ConfigSettling"],
    ]);
    await edit("shared", "2");
    await edit("hot", "2");
    expect(await harness.poll()).toBe(0);

    // Their pods start once each: the default limit is five at a time.
    const started: number[] = [];
    for (let level = 3; (await restarted()).length < 25 && level < 20; level += 1) {
      await edit("hot", String(level));
      if (level === 3) await settled();
      started.push(await harness.poll());
    }
    expect(started).toEqual([5, 5, 5, 5, 5]);
    expect((await restarted()).toSorted()).toEqual(names.toSorted());
    await edit("hot", "20");
    expect(await harness.poll()).toBe(0);

    const { gates, evaluated } = await harness.workload("unsteady");
    expect([evaluated?.reason, gates?.[0]?.reason]).toEqual(["RestartDelayed", "ConfigChangesOften"]);
    expect(await harness.eventsOf("unsteady")).toEqual(["AutoUpdateConfigChangesOften"]);
    expect(await harness.messagesOf("AutoUpdateConfigChangesOften")).toEqual([
      "configmap/hot changes often: 5 times, each within an hour of the time before",
    ]);

    // The last content stays, and runs in the end.
    await settled();
    expect(await harness.poll()).toBe(1);
    expect(await restarted()).toContain("unsteady");

    // It changes again within a day.
    await edit("shared", "3");
    expect(await harness.poll()).toBe(0);
    await settled();
    expect(await harness.poll()).toBe(0);
    const again = await harness.workload("sharing-0");
    expect(again.gates?.map(({ reason }) => reason)).toEqual(["RestartedRecently"]);
    await harness.close();
  });
});

function deploymentOf(own: string, namespace: string, container: object, annotated: Record<string, string>) {
  const labels = { app: own };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: own, namespace, annotations: annotated },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", ...container }] } },
    },
  };
}
