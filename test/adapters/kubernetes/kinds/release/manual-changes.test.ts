import { afterAll, describe, expect, test } from "vitest";
import { createKubernetesCluster } from "../../../../../functions/adapters/kubernetes/cluster.ts";
import { checkReadiness } from "../../../../../functions/handlers/check-readiness.ts";
import { restoreRelease } from "../../../../../functions/handlers/restore-release.ts";
import { rollBack } from "../../../../../functions/handlers/roll-back.ts";
import { hold } from "../../../../../functions/domain/workload/decision/decision.ts";
import type { StepInput } from "../../../../../functions/contract/workload-update.ts";
import { recordDecision } from "../../../../../functions/workflows/poll/record/record-check.ts";
import { openHarness } from "../../../../contracts/cluster/harness.ts";
import { fakePorts } from "../../../../support/fake-ports.ts";
import { eventually } from "../../../../support/control-plane/eventually.ts";
import { createKubectl, type Kubectl } from "../../../../support/kubectl.ts";
import { type Kind, plurals } from "../../../../support/kubectl/objects.ts";
import { noon } from "../../../../support/workloads.ts";
import { startCluster } from "../../embedded-cluster.ts";
import { requestOf } from "../../../../support/request-of.ts";

const server = await startCluster();
afterAll(() => server.close());

const image = (tag: string) => `registry.invalid/shop/web:${tag}`;
const name = "web";

function manifest(kind: Kind, tag: string) {
  const labels = { app: name };
  const spec = {
    replicas: 2,
    ...(kind === "StatefulSet" ? { serviceName: name } : {}),
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "app", image: image(tag) }] } },
  };
  const annotations = { "pawl.dev/auto-update": "true" };
  return { apiVersion: "apps/v1", kind, metadata: { name, annotations }, spec };
}

/** Returns a workload whose release 2 runs, and whose rollback to release 1 has just been written. */
async function openRestored(kind: Kind) {
  const { namespace, kubeConfig, request } = await openHarness(server.kubeConfig);
  const kubectl: Kubectl = {
    ...createKubectl(kubeConfig, namespace, () => new Date()),
    // This server has no subresource scale.
    async scale(scaled, of, replicas) {
      const path = `/apis/apps/v1/namespaces/${namespace}/${plurals[scaled]}/${of}`;
      const contentType = "application/merge-patch+json";
      await request("PATCH", path, { body: { spec: { replicas } }, contentType });
    },
  };
  const warn = (message: string) => process.emitWarning(message);
  const settings = { name: "embedded", kubeConfig, namespaces: [namespace], releases: true, now: () => noon, warn };
  const ports = { ...fakePorts({}), cluster: createKubernetesCluster(settings) };
  const { uid } = await kubectl
    .create(manifest(kind, "1.0.0"))
    .then(async () => (await kubectl.get(kind, name)).metadata);
  const ref = { apiVersion: "apps/v1", kind, namespace, name, uid: uid ?? "" };
  const read = async () => (await ports.cluster.read(ref))!;
  const isSettled = async (tag: string) => {
    const { rollout } = await read();
    const { desiredReplicas = 0, readyReplicas = 0, oldReplicas = 1 } = rollout ?? {};
    return rollout?.image === image(tag) && readyReplicas === desiredReplicas && oldReplicas === 0;
  };
  for (const tag of ["1.0.0", "1.1.0"]) {
    await kubectl.setImage(kind, name, image(tag));
    await eventually(`${tag} is rolled out`, () => isSettled(tag));
    await recordDecision(ports, await read(), hold("no-newer-version", "nothing newer"));
  }
  expect((await read()).releases?.list.map(({ number }) => number)).toEqual([1, 2]);
  await ports.cluster.request(await read(), requestOf("rollback 1 t-1"));
  const common = { cluster: "embedded", strategy: "release", digests: "", adopting: false, execution: "e-1" } as const;
  const input: StepInput & { readonly executionStartedAt: string } = {
    ...common,
    workload: ref,
    target: { kind: "release", image: image("1.0.0"), number: 1 },
    executionStartedAt: noon.toISOString(),
  };
  expect(await restoreRelease(ports, input)).toMatchObject({ kind: "applied" });
  const runs = async () => (await kubectl.get(kind, name)).spec.template.spec.containers[0]?.image;
  return { ports, kubectl, input, read, runs };
}

type Act = (kubectl: Kubectl, kind: Kind) => Promise<void>;

/** What a person does, and what runs in the end: by default what the person set, which ends the rollback. */
const acts: Readonly<Record<string, { readonly act: Act; readonly tag: string | null }>> = {
  undo: { act: (kubectl, kind) => kubectl.rolloutUndo(kind, name), tag: "1.1.0" },
  replace: { act: (kubectl, kind) => kubectl.replace(manifest(kind, "0.9.0")), tag: "0.9.0" },
  apply: { act: (kubectl, kind) => kubectl.apply(manifest(kind, "0.9.0")), tag: "0.9.0" },
  "set image": { act: (kubectl, kind) => kubectl.setImage(kind, name, image("1.0.5")), tag: "1.0.5" },
  scale: { act: (kubectl, kind) => kubectl.scale(kind, name, 3), tag: null },
  restart: { act: (kubectl, kind) => kubectl.rolloutRestart(kind, name), tag: null },
};

const cases = (["Deployment", "StatefulSet"] as const).flatMap((kind) =>
  Object.entries(acts).map(([verb, { act, tag }]) => ({ kind, verb, act, tag })),
);

describe.concurrent("while a rollback to a release is in flight", () => {
  test.for(cases)("kubectl $verb of a $kind: it ends unless its template is in place", async (given) => {
    const { kind, act, tag } = given;
    const { ports, kubectl, input, runs, read } = await openRestored(kind);
    await act(kubectl, kind);
    const ends = tag === null ? "ready" : "superseded";
    await eventually(`it is ${ends}`, async () => (await stepKind(checkReadiness(ports, input))) === ends);
    expect(await runs()).toBe(image(tag ?? "1.0.0"));
    expect((await read()).updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [] });
  });

  test.for(cases)("that has failed, kubectl $verb of a $kind: only its own template is reverted", async (given) => {
    const { kind, act, tag } = given;
    const { ports, kubectl, input, runs, read } = await openRestored(kind);
    await rollBack(ports, { ...input, verdict: "expired", reason: "0 of 2 replicas are ready" });
    await act(kubectl, kind);
    const ends = /^(?:applied|superseded)$/;
    await eventually("its step has a result", async () => ends.test(await stepKind(restoreRelease(ports, input))));
    expect(await runs()).toBe(image(tag ?? "1.1.0"));
    expect((await read()).updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [] });
  });

  test("kubectl delete: it ends, and nothing is written", async () => {
    const { ports, kubectl, input } = await openRestored("Deployment");
    await kubectl.delete("Deployment", name);
    await kubectl.create(manifest("Deployment", "1.1.0"));
    expect(await checkReadiness(ports, input)).toMatchObject({ kind: "superseded" });
    expect(await restoreRelease(ports, { ...input, adopting: true })).toMatchObject({ kind: "superseded" });
  });
});

/** A controller may write between two requests: the machine repeats the step. */
async function stepKind(step: Promise<{ readonly kind: string }>): Promise<string> {
  return step.then(
    ({ kind }) => kind,
    (error: Error) => error.name,
  );
}
