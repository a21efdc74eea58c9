import { AppsV1Api, CoreV1Api, CustomObjectsApi, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import type { LocalPawl } from "../../../infra/local/runtime/local-pawl.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { type ClusterHarness, openClusterHarness } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";
import { requestOf } from "../../support/request-of.ts";

const name = "web";

describeOnRealCluster("releases, with real controllers", () => {
  const suite = createSuite();
  let harness: ClusterHarness;
  let pawl: LocalPawl;
  let cluster: Cluster;
  let apps: AppsV1Api;

  beforeAll(async () => {
    await suite.registry.pushImage("shop/web", ["1.0.0"]);
    harness = await openClusterHarness(suite);
    const { namespace, kubeConfig } = harness;
    apps = kubeConfig.makeApiClient(AppsV1Api);
    pawl = suite.closeAfterAll(
      await startIsolatedPawl({
        namespace,
        registry: suite.registry,
        environment: { PAWL_RELEASES: "true" },
        speed: 60,
      }),
    );
    cluster = createKubernetesCluster({
      name: "real",
      kubeConfig,
      namespaces: [namespace],
      releases: true,
      now: () => new Date(),
      warn: (message) => process.emitWarning(message),
    });
    await harness.create("Deployment", name, `${suite.registry.host}/shop/web:1.0.0`);
  });

  async function workload(): Promise<Workload> {
    for await (const one of cluster.list()) if (one.ref.name === name) return (await cluster.read(one.ref)) as Workload;
    throw new Error("no workload");
  }

  async function poll(): Promise<void> {
    await eventually("the rollout settles", async () => {
      const { rollout } = await workload();
      return rollout !== null && rollout.oldReplicas === 0 && rollout.readyReplicas === rollout.desiredReplicas;
    });
    const { failed } = await pawl.poll();
    expect(failed).toEqual([]);
    await eventually("every started execution ends", async () => pawl.running() === 0);
  }

  async function patchWorkload(body: object): Promise<void> {
    await apps.patchNamespacedDeployment(
      { name, namespace: harness.namespace, body },
      setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch),
    );
  }

  function editContainer(container: object): Promise<void> {
    return patchWorkload({ spec: { template: { spec: { containers: [{ name: "app", ...container }] } } } });
  }

  const setImage = (tag: string) => editContainer({ image: `${suite.registry.host}/shop/web:${tag}` });

  const autoUpdate = () => ({
    group: "pawl.dev",
    version: "v1alpha1",
    plural: "autoupdates",
    namespace: harness.namespace,
    name: `deployment-${name}`,
  });

  async function status(): Promise<Readonly<Record<string, unknown>>> {
    const found = await harness.kubeConfig.makeApiClient(CustomObjectsApi).getNamespacedCustomObject(autoUpdate());
    return (found as { readonly status: Readonly<Record<string, unknown>> }).status;
  }

  async function patchAutoUpdateStatus(fields: object): Promise<void> {
    await harness.kubeConfig
      .makeApiClient(CustomObjectsApi)
      .patchNamespacedCustomObjectStatus(
        { ...autoUpdate(), body: { status: fields } },
        setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
      );
  }

  async function rollBack(argument: string, token: string): Promise<string | undefined> {
    await cluster.request(await workload(), requestOf(`rollback ${argument} ${token}`));
    await poll();
    return (await workload()).lastRequest?.result;
  }

  test("two updates and a hand edit are three more releases, and pawl rollback restores the first", async () => {
    await poll();
    for (const tag of ["1.1.0", "1.2.0"]) {
      await suite.registry.pushImage("shop/web", [tag]);
      await poll();
    }
    await editContainer({ env: [{ name: "MODE", value: "by-hand" }] });
    // A poll records what has settled, which may take longer on a busy machine.
    const before = await eventually("the edit is a release", async () => {
      await poll();
      const now = await workload();
      return (now.releases?.list.length ?? 0) > 3 && now;
    });
    expect(before.releases?.list.map(({ number, version, by, result }) => [number, version, by, result])).toEqual([
      [1, "1.0.0", "hand", "Succeeded"],
      [2, "1.1.0", "pawl", "Succeeded"],
      [3, "1.2.0", "pawl", "Succeeded"],
      [4, "1.2.0", "hand", "Succeeded"],
    ]);
    await patchWorkload({ spec: { replicas: 2 } });
    expect(await rollBack("1", "t-1")).toMatch(/^rollback to release 1 is requested: execution /);
    const after = await workload();
    expect(after.image).toMatch(/1\.0\.0$/);
    expect(after.rollout).toMatchObject({ desiredReplicas: 2, readyReplicas: 2, oldReplicas: 0 });
    expect(after.releases?.list.at(-1)).toMatchObject({
      number: 5,
      version: "1.0.0",
      by: "pawl",
      rolledBackFrom: 4,
      hash: before.releases?.list[0]?.hash,
      revision: before.releases?.list[0]?.revision,
    });
    await poll();
    const { image, releases } = await workload();
    expect(image).toMatch(/1\.0\.0$/);
    expect(releases?.list).toHaveLength(5);
  });

  test("a rollback whose pods never become ready is reverted, and nothing is counted or blamed", async () => {
    const before = await workload();
    await patchWorkload({ metadata: { annotations: { "pawl.dev/health-timeout": "4m" } } });
    await setImage("1.2.0-bad");
    const bad = await eventually("its controller has a revision of the bad template", async () =>
      (await cluster.readSnapshots(await workload())).find(({ image }) => image?.endsWith("-bad")),
    );
    await setImage("1.0.0");
    const { revision, hash, image } = bad;
    const release = { number: 9, version: "1.2.0-bad", image, hash, revision, at: "2026-11-20T12:00:00Z" };
    const list = [...((await status())["releases"] as object[]), { ...release, by: "hand", result: "Succeeded" }];
    await patchAutoUpdateStatus({ releases: list });
    expect(await rollBack("9", "t-9")).toMatch(/^rollback to release 9 is requested: execution /);
    const after = await workload();
    expect(after).toMatchObject({ image: before.image, inFlight: null, releases: { hash: before.releases?.hash } });
    expect(after.updateRecord.versionHistory.at(-1)).toMatchObject({ status: "RolledBack", release: 9 });
    expect(after.updateRecord).toMatchObject({ rollbackCount: 0, circuitOpen: false, failedVersions: [] });
    expect(after.releases?.list.at(-1)).toMatchObject({ result: "Failed", hash });
  });

  test("a release with tag and digest is restored exactly, also after its tag has moved", async () => {
    await patchWorkload({
      metadata: { annotations: { [annotations.pin]: "digest", [annotations.healthTimeout]: null } },
    });
    for (const tag of ["1.3.0", "1.4.0"]) {
      await suite.registry.pushImage("shop/web", [tag]);
      await poll();
    }
    const { image, releases } = await workload();
    expect(image).toMatch(/shop\/web:1\.4\.0@sha256:[0-9a-f]{64}$/);
    const pinned = releases?.list.at(-2);
    expect(pinned).toMatchObject({ version: "1.3.0", by: "pawl", result: "Succeeded" });
    expect(pinned?.image).toMatch(/shop\/web:1\.3\.0@sha256:[0-9a-f]{64}$/);
    await suite.registry.push("shop/web", "1.3.0", { annotations: { moved: "yes" } });
    expect(await rollBack(`${pinned?.number}`, "t-pinned")).toMatch(
      /^rollback to release \d+ is requested: execution /,
    );
    const after = await workload();
    expect(after).toMatchObject({ image: pinned?.image, inFlight: null, releases: { hash: pinned?.hash } });
    expect(after.releases?.list.at(-1)).toMatchObject({ version: "1.3.0", image: pinned?.image, result: "Succeeded" });
    await poll();
    expect((await workload()).image).toBe(pinned?.image);
  });

  test("a rollback after a restart for a ConfigMap is refused, and names the release with another template", async () => {
    const { namespace } = harness;
    const core = harness.kubeConfig.makeApiClient(CoreV1Api);
    const settings = (level: string) => ({ metadata: { name: "settings", namespace }, data: { LEVEL: level } });
    await core.createNamespacedConfigMap({ namespace, body: settings("info") });
    await patchWorkload({
      metadata: {
        annotations: {
          [annotations.restartOnConfigChange]: "true",
          [annotations.settleTime]: "0s",
          [annotations.minimumInterval]: "0s",
        },
      },
    });
    const before = (await workload()).releases?.list.at(-1)?.number ?? 0;
    await editContainer({ envFrom: [{ configMapRef: { name: "settings" } }] });
    const isKnown = async (number: number) => {
      await poll();
      const { number: newest, digests = {} } = (await workload()).releases?.list.at(-1) ?? { number: 0 };
      return newest === number && Object.keys(digests).some((one) => one.includes("settings"));
    };
    await eventually("the edit is a release whose configuration is known", () => isKnown(before + 1));
    await core.replaceNamespacedConfigMap({ name: "settings", namespace, body: settings("debug") });
    await eventually("the restart is a release", () => isKnown(before + 2));
    const { image } = await workload();
    await cluster.request(await workload(), requestOf("rollback t-config"));
    await poll();
    const after = await workload();
    expect(after.lastRequest?.result).toBe(
      `refused: release ${before + 1} differs only in its configuration, whose content is not restored; release ${before} (1.3.0) differs in more: --to ${before}`,
    );
    expect([after.image, after.inFlight]).toEqual([image, null]);
  });
});
