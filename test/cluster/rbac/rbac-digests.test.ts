import { CoreV1Api, type KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import type { StepResult, StepInput } from "../../../functions/contract/workload-update.ts";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import type { Workload, WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import type { Remember } from "../../../functions/ports/cluster.ts";
import { pathOf } from "../../contracts/cluster-fixtures.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { applyPart, removePart } from "../../infra/cluster/pawl-groups.ts";
import { functionNames, type FunctionName, tasks } from "../../infra/cluster/tasks.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import {
  createActors,
  createCheckRecorder,
  installPawl,
  repeatOnConflict,
  type StepHandler,
  type StepName,
} from "./rbac-harness.ts";
import { createSuite } from "../suite.ts";
import { textsOf } from "../../support/problems.ts";

describeOnRealCluster("every function of a digest restart, with the permissions of its group", () => {
  const suite = createSuite();
  const actorOf = createActors();
  let admin: KubeConfig;
  let namespace: string;
  let image: string;

  beforeAll(async () => {
    image = `${suite.registry.host}/shop/app:prod`;
    const installation = await installPawl("rbac-digests");
    ({ admin, namespace } = installation);
    suite.closeAfterAll({ close: () => installation.remove() });
    await applyPart(admin, "pull-secrets");
    suite.closeAfterAll({ close: () => removePart(admin, "pull-secrets") });
  });

  function portsOf(name: FunctionName, digest: string): Ports & Pick<FakePorts, "executions"> {
    const cluster = createKubernetesCluster({
      name: "real",
      kubeConfig: actorOf(name).kubeConfig,
      namespaces: [namespace],
      digests: { initialDigestPolicy: "adopt", setsPullPolicy: true },
      readsPullSecrets: true,
      configSecrets: true,
      now: () => new Date(),
      warn: (message) => process.emitWarning(message),
    });
    return { ...fakePorts({ digests: () => [digest], now: new Date() }), cluster };
  }

  async function run(name: StepName, step: StepInput): Promise<StepResult<string>> {
    const handler: StepHandler = tasks[name];
    return repeatOnConflict(name, () => handler(portsOf(name, ""), step));
  }

  /** Polls once while the tag has this digest. Returns the input of the execution that it starts, if any. */
  async function poll(digest: string): Promise<StepInput | undefined> {
    const checkRecorder = createCheckRecorder((name) => portsOf(name, digest));
    const poller: ReturnType<typeof portsOf> = { ...portsOf("poll", digest), checkRecorder };
    expect(await tasks.poll(poller, { cluster: "real" })).toMatchObject({ failed: [] });
    const [started] = poller.executions.started;
    return started && { ...started.input, execution: started.name };
  }

  async function restart(digest: string): Promise<StepInput> {
    const step = await eventually("a restart starts", () => poll(digest));
    expect(await run("apply-update", step)).toMatchObject({ kind: "applied" });
    return step;
  }

  test("a poll lists ConfigMaps, and reads those and the Secrets that a workload uses; no other function may", async () => {
    const core = admin.makeApiClient(CoreV1Api);
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "settings" }, data: { a: "1" } } });
    await core.createNamespacedSecret({
      namespace,
      body: { metadata: { name: "credentials" }, stringData: { a: "1" } },
    });
    const use = { keys: null, isRequired: true, requiredKeys: [], isNamed: false };
    const references = [
      { ...use, kind: "configmap" as const, name: "settings", id: "configmap/settings" },
      { ...use, kind: "secret" as const, name: "credentials", id: "secret/credentials" },
    ];
    const config = { references, salt: null, deployed: {}, versions: {} };
    const { cluster } = portsOf("poll", "");
    const once: Remember = (_key, read) => read();
    const read = await cluster.readConfig(namespace, config, once);
    expect([Object.keys(read.digests), read.problems]).toEqual([["configmap/settings", "secret/credentials"], []]);
    for (const name of functionNames.filter((one) => one !== "poll")) {
      const { problems } = await portsOf(name, "").cluster.readConfig(namespace, config, once);
      expect(textsOf(problems), name).toEqual([
        `its ConfigMaps: Pawl must not read them; grant pawl:pollers list and get on configmaps in the namespace ${namespace}: apply infra/cluster`,
        `secret/credentials: Pawl must not read it; grant pawl:pollers get on secrets in the namespace ${namespace}: apply infra/cluster/pull-secrets`,
      ]);
    }
  });

  async function readWorkload(ref: WorkloadRef): Promise<Workload | null> {
    return portsOf("poll", "").cluster.read(ref);
  }

  test("records the first digest, restarts, pins the previous digest after a rollback, and removes the pin", async () => {
    const push = () => suite.registry.push("shop/app", "prod");
    const firstDigest = await push();
    await createTrackedWorkload(admin, namespace, image);
    expect(await poll(firstDigest)).toBeUndefined();

    const pushed = await push();
    const first = await restart(pushed);
    expect((await readWorkload(first.workload))?.digests).toMatchObject({ previous: [{ app: firstDigest }] });
    await eventually("it is ready", async () => (await run("check-readiness", first)).kind === "ready");
    expect(await run("record-success", first)).toMatchObject({ kind: "recorded" });

    const second = await restart(await push());
    expect(await run("adopt-update", second)).toMatchObject({ kind: "adopted" });
    expect(await run("roll-back", second)).toMatchObject({ kind: "reverting" });
    await eventually("it is rolled back", async () => (await run("check-rollback", second)).kind === "rolled-back");
    expect(await readWorkload(first.workload)).toMatchObject({ image: `${image}@${pushed}`, isPinnedByPawl: true });

    const third = await restart(await push());
    expect(await readWorkload(first.workload)).toMatchObject({ image, isPinnedByPawl: false });
    await eventually("it is ready", async () => (await run("check-readiness", third)).kind === "ready");
    expect(await run("record-success", third)).toMatchObject({ kind: "recorded" });
    const { body } = await rawRequest(admin, "GET", pathOf(first.workload), {});
    expect(body.metadata).not.toHaveProperty("finalizers");
    expect(JSON.stringify(body.spec?.["template"])).toContain('"imagePullPolicy":"Always"');
  });
});

/** Creates a StatefulSet that kubernetes-image-updater managed, with one replica and a pull secret. */
async function createTrackedWorkload(admin: KubeConfig, namespace: string, image: string): Promise<void> {
  const config = Buffer.from('{"auths":{}}').toString("base64");
  await admin.makeApiClient(CoreV1Api).createNamespacedSecret({
    namespace,
    body: {
      metadata: { name: "login" },
      type: "kubernetes.io/dockerconfigjson",
      data: { ".dockerconfigjson": config },
    },
  });
  const updater = "image-updater.eznix86.github.io";
  const labels = { app: "tracked" };
  const pod = {
    imagePullSecrets: [{ name: "login" }],
    initContainers: [{ name: "migrate", image: "registry.invalid/migrate:1" }],
    containers: [{ name: "app", image, imagePullPolicy: "IfNotPresent" }],
  };
  await KubernetesObjectApi.makeApiClient(admin).create({
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: {
      name: "tracked",
      namespace,
      finalizers: [`${updater}/finalizer`],
      annotations: { [`${updater}/enabled`]: "true", "pawl.dev/rollback-to": "digest" },
    },
    spec: {
      replicas: 1,
      serviceName: "tracked",
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod },
    },
  } as never);
}
