import { CoreV1Api, type KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import type { Answer, StepInput } from "../../functions/contract.ts";
import { analyzeCanary } from "../../functions/handlers/analyze-canary.ts";
import { checkCanary } from "../../functions/handlers/check-canary.ts";
import { startCanary } from "../../functions/handlers/start-canary.ts";
import type { Workload } from "../../functions/domain/workload.ts";
import type { Ports } from "../../functions/task.ts";
import { functionSpecs, type HandlerName } from "../../infra/constructs/functions.ts";
import { actingAs } from "../infra/cluster/acting-as.ts";
import { applyAll, clusterOf } from "../infra/cluster/pawl-groups.ts";
import { tasks } from "../infra/cluster/tasks.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { installCrd } from "../support/crds/install.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { describeOnRealCluster, makeNamespace, realKubeConfig } from "../support/real-cluster.ts";

type Step = (ports: Ports, step: StepInput) => Promise<Answer<string>>;

const since = { executionStartedAt: new Date().toISOString() };

/** What the machine runs of a canary, each with the function whose role it has. */
const steps = {
  "start-canary": startCanary,
  "check-canary": (ports, step) => checkCanary(ports, { ...step, ...since }),
  "analyze-canary": (ports, step) => analyzeCanary(ports, { ...step, ...since }),
  "apply-update": tasks["apply-update"],
  "check-readiness": tasks["check-readiness"],
  "record-success": tasks["record-success"],
  "roll-back": tasks["roll-back"],
} satisfies Partial<Record<HandlerName, Step>>;

const analysis = "{ count: 1, metrics: [{ name: errors, query: errors, threshold: 0.5 }] }";
const labels = { app: "judged" };
const pods = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: "app", image }] } });
const image = (tag: string) => `registry.invalid/shop/app:${tag}`;

describeOnRealCluster("the functions of a canary, each under its own group", () => {
  let admin: KubeConfig;
  let namespace: string;

  beforeAll(async () => {
    admin = realKubeConfig();
    await installCrd(admin, "claw");
    await installCrd(admin, "stateful-canary");
    const remove = await applyAll(admin);
    namespace = await makeNamespace(admin, "rbac-canary");
    const core = admin.makeApiClient(CoreV1Api);
    await core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name: "errors" }, data: { "analysis.yaml": analysis } },
    });
    return remove;
  });

  function portsOf(name: keyof typeof steps): Ports {
    const measured = () => ({ kind: "value", value: 0 }) as const;
    const { kubeConfig } = actingAs(functionSpecs[name].group, realKubeConfig());
    return { ...fakePorts({ measured, now: new Date() }), cluster: clusterOf(kubeConfig, namespace) };
  }

  /** As the machine runs it: again where somebody else wrote first. */
  async function run(name: keyof typeof steps, step: StepInput): Promise<string> {
    const task: Step = steps[name];
    const outcome = await eventually(`${name} is not overtaken`, () =>
      task(portsOf(name), step).catch((error: Error) => error.name !== "Conflict" && error),
    );
    if (outcome instanceof Error) throw outcome;
    return outcome.kind;
  }

  async function untilIs(name: keyof typeof steps, step: StepInput, kind: string): Promise<void> {
    await eventually(`${name} says ${kind}`, async () => (await run(name, step)) === kind);
  }

  async function made(kind: string, name: string, tag: string): Promise<StepInput> {
    await KubernetesObjectApi.makeApiClient(admin).create({
      ...(kind === "StatefulCanary" ? resource(tag) : builtIn(kind)),
      metadata: { name, namespace, annotations: kind === "StatefulCanary" ? {} : policy },
    });
    const found = await eventually(`${name} is listed`, () => workloadOf(name));
    return {
      cluster: "real",
      workload: found.ref,
      image: image(tag),
      strategy: "canary",
      digests: "",
      recovering: false,
      execution: `${name}-1`,
    };
  }

  async function workloadOf(name: string): Promise<Workload | undefined> {
    for await (const one of clusterOf(admin, namespace).list()) if (one.ref.name === name) return one;
    return undefined;
  }

  test.for(["Deployment", "StatefulSet", "StatefulCanary"])("promote the canary of a %s", async (kind) => {
    const step = await made(kind, `good-${kind.toLowerCase()}`, "1.1.0");
    expect(await run("start-canary", step)).toBe("started");
    await untilIs("check-canary", step, "ready");
    await untilIs("analyze-canary", step, "pass");
    expect(await run("apply-update", step)).toBe("applied");
    await untilIs("check-readiness", step, "ready");
    expect(await run("record-success", step)).toBe("recorded");
    expect(await workloadOf(step.workload.name)).toMatchObject({ inFlight: null, image: image("1.1.0") });
  });

  test.for(["Deployment", "StatefulSet", "StatefulCanary"])("take the canary of a %s back", async (kind) => {
    const step = await made(kind, `bad-${kind.toLowerCase()}`, "1.1.0-bad");
    expect(await run("start-canary", step)).toBe("started");
    await untilIs("check-canary", step, "progressing");
    expect(await run("roll-back", step)).toMatch(/^(rolled-back|tripped)$/);
    expect(await workloadOf(step.workload.name)).toMatchObject({ inFlight: null, image: image("1.0.0") });
  });
});

const policy = {
  "pawl.dev/auto-update": "true",
  "pawl.dev/version-constraint": ">=1.0.0-0",
  "pawl.dev/canary": "1",
  "pawl.dev/canary-analysis": "errors",
};

function builtIn(kind: string) {
  const spec = { replicas: 2, selector: { matchLabels: labels }, template: pods(image("1.0.0")) };
  return { apiVersion: "apps/v1", kind, spec: kind === "StatefulSet" ? { ...spec, serviceName: "judged" } : spec };
}

function resource(tag: string) {
  const template = { template: pods(image("1.0.0")) };
  const spec = { totalReplicas: 2, canaryReplicas: 1, canaryImage: image(tag), template };
  return { apiVersion: "pawl.dev/v1alpha1", kind: "StatefulCanary", spec };
}
