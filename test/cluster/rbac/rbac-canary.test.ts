import { AppsV1Api, CoreV1Api, type KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import type { StepInput } from "../../../functions/contract/workload-update.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { analyzeRollout } from "../../../functions/handlers/analyze-rollout.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { decideWithoutTags } from "../../../functions/domain/workload/decision/decide.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import type { CheckDecision } from "../../../functions/ports/check-recorder.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { createClusterFor } from "../../infra/cluster/pawl-groups.ts";
import { tasks } from "../../infra/cluster/tasks.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { createActors, createCheckRecorder, installPawl, repeatOnConflict, type StepHandler } from "./rbac-harness.ts";
import { imageTarget } from "../../support/workloads.ts";

/** Creates the AutoUpdate. */
const hold = {
  kind: "hold",
  reason: "no-newer-version",
  detail: "no newer version",
  target: null,
} as const;

const startTime = { executionStartedAt: new Date().toISOString() };

/** The steps of a canary, by the name of their function. */
const handlers = {
  "start-canary": startCanary,
  "check-canary": (ports, step) => checkCanary(ports, { ...step, ...startTime }),
  "analyze-canary": (ports, step) => analyzeCanary(ports, { ...step, ...startTime }),
  "adopt-update": tasks["adopt-update"],
  "apply-update": tasks["apply-update"],
  "check-readiness": tasks["check-readiness"],
  "analyze-rollout": (ports, step) => analyzeRollout(ports, { ...step, ...startTime }),
  "record-success": tasks["record-success"],
  "roll-back": tasks["roll-back"],
  "check-rollback": tasks["check-rollback"],
} as const satisfies Readonly<Record<string, StepHandler>>;
type Name = keyof typeof handlers | "record-check";

const analysis = { count: 1, metrics: [{ name: "errors", query: "errors", threshold: 0.5 }] };
const labels = { app: "analyzed" };
const pods = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: "app", image }] } });
const image = (tag: string) => `registry.invalid/shop/app:${tag}`;

describeOnRealCluster("the functions of a canary, each with the permissions of its group", () => {
  const actorOf = createActors();
  let admin: KubeConfig;
  let namespace: string;

  beforeAll(async () => {
    const installation = await installPawl("rbac-canary");
    ({ admin, namespace } = installation);
    const core = admin.makeApiClient(CoreV1Api);
    await core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name: "errors" }, data: { "analysis.yaml": JSON.stringify(analysis) } },
    });
    return () => installation.remove();
  });

  function portsOf(name: Name): Ports {
    const measured = () => ({ kind: "value", value: 0 }) as const;
    return {
      ...fakePorts({ measured, now: new Date() }),
      cluster: createClusterFor(actorOf(name).kubeConfig, namespace),
    };
  }

  async function run(name: keyof typeof handlers, step: StepInput): Promise<string> {
    const handler: StepHandler = handlers[name];
    return (await repeatOnConflict(name, () => handler(portsOf(name), step))).kind;
  }

  async function repeatUntil(kind: string, name: keyof typeof handlers, step: StepInput): Promise<void> {
    await eventually(`${name} returns ${kind}`, async () => (await run(name, step)) === kind);
  }

  /** Ends the step of a canary. Before it is measured, the stable replicas of a StatefulCanary are fewer: that is a round of its own. */
  async function endStep(end: string, step: StepInput): Promise<void> {
    await eventually(`the step ends with ${end}`, async () => {
      const kind = await run("analyze-canary", step);
      const { canaryProgress } = (await workloadOf(step.workload.name)) ?? {};
      if (kind !== "next" || canaryProgress?.waitsFor === "NextStep") return kind === end;
      await run("start-canary", step);
      return false;
    });
  }

  /** Creates a workload and returns the input of its update. */
  async function createStep(kind: string, name: string, tag: string): Promise<StepInput> {
    await KubernetesObjectApi.makeApiClient(admin).create({
      ...(kind === "StatefulCanary" ? statefulCanary(tag) : builtIn(kind)),
      metadata: { name, namespace, annotations: kind === "StatefulCanary" ? {} : policy },
    });
    // A canary beside pods that were unavailable before it is withdrawn: nothing shows that it is worse.
    if (kind !== "StatefulCanary")
      await eventually("its pods are ready", async () => {
        const { rollout = null } = (await workloadOf(name)) ?? {};
        return rollout !== null && rollout.desiredReplicas > 0 && rollout.readyReplicas === rollout.desiredReplicas;
      });
    const recorder = createCheckRecorder(portsOf);
    const workload = await repeatOnConflict("the record of a poll", async () => {
      const listed = await eventually(`${name} is listed`, () => workloadOf(name));
      await recorder.record(listed, hold);
      return listed;
    });
    return {
      cluster: "real",
      workload: workload.ref,
      target: imageTarget(image(tag)),
      strategy: "canary",
      digests: "",
      adopting: false,
      execution: `${name}-1`,
    };
  }

  async function workloadOf(name: string): Promise<Workload | undefined> {
    for await (const workload of createClusterFor(admin, namespace).list())
      if (workload.ref.name === name) return workload;
    return undefined;
  }

  test.for(["Deployment", "StatefulSet", "StatefulCanary"])(
    "promote a canary of a %s after its steps",
    async (kind) => {
      const step = await createStep(kind, `good-${kind.toLowerCase()}`, "1.1.0");
      const grown: unknown[] = [];
      for (const end of ["next", "next", "pass"]) {
        expect(await run("start-canary", step)).toBe("started");
        await repeatUntil("ready", "check-canary", step);
        const { canary, canaryProgress } = (await workloadOf(step.workload.name)) ?? {};
        grown.push([canary?.desiredReplicas, canary?.readyReplicas, canaryProgress?.waitsFor]);
        await endStep(end, step);
      }
      expect(grown).toEqual([
        [1, 1, "Replicas"],
        [2, 2, "Replicas"],
        [2, 2, "Time"],
      ]);
      expect(await run("apply-update", step)).toBe("applied");
      if (kind === "Deployment") {
        await repeatUntil("scale-down", "check-readiness", step);
        await repeatUntil("applied", "apply-update", { ...step, step: "scale-down" } as StepInput);
      }
      await repeatUntil("bake", "check-readiness", step);
      await repeatUntil("pass", "analyze-rollout", step);
      expect(await run("record-success", step)).toBe("recorded");
      expect(await workloadOf(step.workload.name)).toMatchObject({ inFlight: null, image: image("1.1.0") });
    },
  );

  test("the canary of a Deployment has the pod template of its owner, but for the image and a label", async () => {
    expect(await run("start-canary", await createStep("Deployment", "compared", "1.1.0-bad"))).toBe("started");
    const apps = admin.makeApiClient(AppsV1Api);
    const read = async (name: string) => (await apps.readNamespacedDeployment({ namespace, name })).spec?.template;
    const expected = structuredClone(await read("compared"));
    const [container] = expected?.spec?.containers ?? [];
    if (expected?.metadata === undefined || container === undefined) throw new Error("the owner has no container");
    expected.metadata.labels = { ...labels, "pawl.dev/role": "canary" };
    container.image = image("1.1.0-bad");
    expect(await read("compared-canary")).toEqual(expected);
  });

  test.for(["Deployment", "StatefulSet", "StatefulCanary"])("roll back the canary of a %s", async (kind) => {
    const step = await createStep(kind, `bad-${kind.toLowerCase()}`, "1.1.0-bad");
    expect(await run("start-canary", step)).toBe("started");
    await repeatUntil("progressing", "check-canary", step);
    expect(await run("roll-back", step)).toBe("reverting");
    const ended = /^(rolled-back|circuit-tripped)$/;
    await eventually("it is rolled back", async () => ended.test(await run("check-rollback", step)));
    expect(await workloadOf(step.workload.name)).toMatchObject({ inFlight: null, image: image("1.0.0") });
  });

  test("another image of a StatefulCanary is reported in its status, and an updater ends the claim", async () => {
    const step = await createStep("StatefulCanary", "changed", "1.1.0-bad");
    expect(await run("start-canary", step)).toBe("started");
    const patch = { body: { spec: { canaryImage: image("1.2.0") } }, contentType: "application/merge-patch+json" };
    const path = `/apis/pawl.dev/v1alpha1/namespaces/${namespace}/statefulcanaries/changed`;
    expect((await rawRequest(admin, "PATCH", path, patch)).code).toBe(200);
    const recorder = createCheckRecorder(portsOf);
    await repeatOnConflict("the record of the change", async () => {
      const changed = (await workloadOf("changed")) as Workload;
      const decision = decideWithoutTags(changed, new Date());
      expect(decision).toMatchObject({ kind: "hold", reason: "manual-change" });
      await recorder.record(changed, decision as CheckDecision);
    });
    const reported = await workloadOf("changed");
    expect(reported?.lastReported.held).toContain(`the image was changed to ${image("1.2.0")}`);
    expect(reported?.inFlight).toMatchObject({ execution: "changed-1" });
    const cleanup = { ...step, strategy: "abort", adopting: true, execution: "changed-2" } as const;
    expect(await run("adopt-update", cleanup)).toBe("superseded");
    expect(await workloadOf("changed")).toMatchObject({ inFlight: null, lastReported: reported?.lastReported });
  });
});

const steps = [{ size: "1" }, { size: "60%", pause: { duration: "1s" } }];

const policy = {
  "pawl.dev/auto-update": "true",
  "pawl.dev/version-constraint": ">=1.0.0-0",
  "pawl.dev/versioning": "semver",
  "pawl.dev/canary-steps": JSON.stringify(steps),
  "pawl.dev/canary-analysis": "errors",
  "pawl.dev/bake-time": "1s",
};

function builtIn(kind: string) {
  const spec = { replicas: 3, selector: { matchLabels: labels }, template: pods(image("1.0.0")) };
  return { apiVersion: "apps/v1", kind, spec: kind === "StatefulSet" ? { ...spec, serviceName: "analyzed" } : spec };
}

function statefulCanary(tag: string) {
  const template = { template: pods(image("1.0.0")) };
  const spec = { totalReplicas: 3, steps, canaryImage: image(tag), template, analysis, bakeTime: "1s" };
  return { apiVersion: "pawl.dev/v1alpha1", kind: "StatefulCanary", spec };
}
