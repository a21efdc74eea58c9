import { CoreV1Api, type KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import type { Answer, StepInput } from "../../functions/contract.ts";
import { kubernetesCluster } from "../../functions/adapters/kubernetes/cluster.ts";
import { Conflict } from "../../functions/adapters/errors.ts";
import type { Workload, WorkloadRef } from "../../functions/domain/workload.ts";
import type { Checks } from "../../functions/ports/checks.ts";
import type { Ports } from "../../functions/task.ts";
import { functionSpecs } from "../../infra/constructs/functions.ts";
import { pathOf } from "../contracts/cluster-fixtures.ts";
import { rawRequest } from "../contracts/kubernetes-api/raw-request.ts";
import { type Actor, actingAs } from "../infra/cluster/acting-as.ts";
import { refusals } from "../infra/cluster/admission.ts";
import { applyAll, applyPart, removePart } from "../infra/cluster/pawl-groups.ts";
import { functionNames, type FunctionName, tasks } from "../infra/cluster/tasks.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { installCrd } from "../support/crds/install.ts";
import { type FakePorts, fakePorts } from "../support/fake-ports.ts";
import { describeOnRealCluster, makeNamespace, realKubeConfig } from "../support/real-cluster.ts";
import { suiteWithRegistry } from "./suite.ts";

type Step = Exclude<FunctionName, "poll" | "record-check">;

describeOnRealCluster("every function of a restart, under its own group", () => {
  const suite = suiteWithRegistry();
  const actors = new Map<FunctionName, Actor>();
  let admin: KubeConfig;
  let namespace: string;
  let image: string;

  beforeAll(async () => {
    image = `${suite.registry.host}/shop/app:prod`;
    admin = realKubeConfig();
    await installCrd(admin, "claw");
    await installCrd(admin, "stateful-canary");
    suite.closing({ close: await applyAll(admin) });
    await applyPart(admin, "pull-secrets");
    suite.closing({ close: () => removePart(admin, "pull-secrets") });
    namespace = await makeNamespace(admin, "rbac-digests");
    for (const name of functionNames) actors.set(name, actingAs(functionSpecs[name].group, realKubeConfig()));
  });

  function portsOf(name: FunctionName, found: string): Ports & Pick<FakePorts, "executions"> {
    const cluster = kubernetesCluster({
      name: "real",
      kubeConfig: actors.get(name)?.kubeConfig ?? admin,
      namespaces: [namespace],
      digests: { firstSight: "baseline", setsPullPolicy: true },
      readsPullSecrets: true,
      now: () => new Date(),
      warn: (message) => process.emitWarning(message),
    });
    return { ...fakePorts({ digests: () => [found], now: new Date() }), cluster };
  }

  async function run(name: Step, step: StepInput): Promise<Answer<string>> {
    const task: (ports: Ports, input: StepInput) => Promise<Answer<string>> = tasks[name];
    const outcome = await eventually(`${name} is not overtaken`, () =>
      task(portsOf(name, ""), step).catch((error: Error) => error.name !== "Conflict" && error),
    );
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  /** One poll that finds this digest behind the tag; what it starts, if it does. */
  async function poll(found: string): Promise<StepInput | undefined> {
    const checks: Checks = {
      async record({ ref, resourceVersion }, decision) {
        const input = { cluster: "real", workload: ref, resourceVersion, decision };
        const { kind, reason } = await tasks["record-check"](portsOf("record-check", found), input);
        if (kind === "changed") throw new Conflict(reason);
        return kind === "written" ? "recorded" : "none";
      },
    };
    const poller = { ...portsOf("poll", found), checks };
    expect(await tasks.poll(poller, { cluster: "real" })).toMatchObject({ failed: [] });
    const [started] = poller.executions.started;
    return started && { ...started.input, execution: started.name };
  }

  async function restarted(found: string): Promise<StepInput> {
    const step = await eventually("a restart starts", () => poll(found));
    expect(await run("apply-update", step)).toMatchObject({ kind: "applied" });
    return step;
  }

  async function now(ref: WorkloadRef): Promise<Workload | null> {
    return portsOf("poll", "").cluster.read(ref);
  }

  test("takes the baseline, restarts, pins what failed, and takes the pin out", async () => {
    const push = () => suite.registry.push("shop/app", "prod");
    const baseline = await push();
    await makeFollowed(admin, namespace, image);
    expect(await poll(baseline)).toBeUndefined();

    const found = await push();
    const first = await restarted(found);
    expect((await now(first.workload))?.digests).toMatchObject({ former: [{ app: baseline }] });
    await eventually("it is ready", async () => (await run("check-readiness", first)).kind === "ready");
    expect(await run("record-success", first)).toMatchObject({ kind: "recorded" });

    const second = await restarted(await push());
    expect(await run("adopt-update", second)).toMatchObject({ kind: "adopted" });
    expect(await run("roll-back", second)).toMatchObject({ kind: "rolled-back" });
    expect(await now(first.workload)).toMatchObject({ image: `${image}@${found}`, isPinned: true });

    const third = await restarted(await push());
    expect(await now(first.workload)).toMatchObject({ image, isPinned: false });
    await eventually("it is ready", async () => (await run("check-readiness", third)).kind === "ready");
    expect(await run("record-success", third)).toMatchObject({ kind: "recorded" });
    const { body } = await rawRequest(admin, "GET", pathOf(first.workload), {});
    expect(body.metadata).not.toHaveProperty("finalizers");
    expect(JSON.stringify(body.spec?.["template"])).toContain('"imagePullPolicy":"Always"');
  });

  test("the admission policies let through what each of them wrote", () => {
    const writes = functionNames.flatMap((name) => actors.get(name)?.writes ?? []);
    expect(writes.length).toBeGreaterThanOrEqual(8);
    expect(writes.flatMap(refusals)).toEqual([]);
  });
});

/** A StatefulSet that comes from kubernetes-image-updater, of one replica, with a pull secret. */
async function makeFollowed(admin: KubeConfig, namespace: string, image: string): Promise<void> {
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
  const labels = { app: "followed" };
  const pod = {
    imagePullSecrets: [{ name: "login" }],
    initContainers: [{ name: "migrate", image: "registry.invalid/migrate:1" }],
    containers: [{ name: "app", image, imagePullPolicy: "IfNotPresent" }],
  };
  await KubernetesObjectApi.makeApiClient(admin).create({
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: {
      name: "followed",
      namespace,
      finalizers: [`${updater}/finalizer`],
      annotations: { [`${updater}/enabled`]: "true", "pawl.dev/rollback": "digest" },
    },
    spec: {
      replicas: 1,
      serviceName: "followed",
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod },
    },
  } as never);
}
