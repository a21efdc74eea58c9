import { expect, test } from "vitest";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import { canaryInFlight, image, inFlight, target, workload } from "../../../support/workloads.ts";
import { clusterAt, startScriptedServer } from "../api/scripted-server.ts";

const conditions = (values: Readonly<Record<string, string>>) => ({
  conditions: Object.entries(values).map(([type, status]) => ({ type, status })),
});
const running = { PodScheduled: "True", Initialized: "True", ContainersReady: "True", Ready: "True" };
const gate = "target-health.elbv2.k8s.aws/web";
const readinessGates = [{ conditionType: gate }];

test.for([
  { of: "a ready pod", status: conditions(running), excused: 0 },
  {
    of: "a pod whose containers are not ready",
    status: conditions({ ...running, ContainersReady: "False", Ready: "False" }),
    excused: 0,
  },
  { of: "a pod whose node does not answer", status: conditions({ ...running, Ready: "False" }), excused: 1 },
  {
    of: "a pod that waits for its readiness gate",
    status: conditions({ ...running, [gate]: "False", Ready: "False" }),
    gates: readinessGates,
    excused: 0,
  },
  {
    of: "a pod with a readiness gate whose node does not answer",
    status: conditions({ ...running, [gate]: "True", Ready: "False" }),
    gates: readinessGates,
    excused: 1,
  },
  { of: "a pod that no node takes", status: conditions({ PodScheduled: "False" }), excused: 1 },
  { of: "a pod without conditions", status: {}, excused: 0 },
  { of: "a terminating pod", deletionTimestamp: "2026-11-20T11:59:30Z", excused: 0 },
  { of: "a pod that was to end a minute ago", deletionTimestamp: "2026-11-20T11:58:59Z", excused: 1 },
])("of $of, $excused is excused", async ({ status = conditions(running), gates, deletionTimestamp, excused }) => {
  const metadata = { name: "app-1", uid: "p-1", ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) };
  const spec = { containers: [], ...(gates === undefined ? {} : { readinessGates: gates }) };
  const items = [{ metadata, spec, status }];
  await using server = await startScriptedServer(({ path }) => ({
    code: 200,
    body: path.includes("/pods") ? { metadata: {}, items } : deployment("u-1"),
  }));
  expect(await clusterAt(server.url).countUnavailablePods(workload())).toMatchObject({ excused, crashed: 0 });
});

const crashing = conditions({ ...running, ContainersReady: "False", Ready: "False" });
const ended = { containerStatuses: [{ name: "app", lastState: { terminated: { exitCode: 1 } } }] };
const controller = { apiVersion: "apps/v1", uid: "u-1", controller: true };

test.for([
  { of: "an unready pod of the update", failing: 1 },
  { of: "a ready pod of the update", status: conditions(running), failing: 0 },
  {
    of: "a ready pod of the update that was restarted after an error",
    status: { ...conditions(running), ...ended },
    failing: 1,
  },
  { of: "an unready pod of the revision before", hash: "r-1", failing: 0 },
  { of: "a pod of the update that no node takes", status: conditions({ PodScheduled: "False" }), failing: 0 },
  { of: "a pod of the update that no kubelet has accepted", status: conditions({ PodScheduled: "True" }), failing: 0 },
  {
    of: "a pod of the update whose containers are being created",
    status: { ...conditions({ PodScheduled: "True" }), startTime: "2026-11-20T11:58:00Z" },
    failing: 0,
  },
  {
    of: "a pod of the update whose image cannot be pulled",
    status: { ...crashing, containerStatuses: [{ name: "app", state: { waiting: { reason: "ImagePullBackOff" } } }] },
    failing: 0,
  },
  {
    of: "a pod of the update in a crash loop",
    status: { ...crashing, containerStatuses: [{ name: "app", state: { waiting: { reason: "CrashLoopBackOff" } } }] },
    failing: 1,
  },
  { of: "a pod of the update that is being deleted", deletionTimestamp: "2026-11-20T12:00:30Z", failing: 0 },
  { of: "an unready pod whose image admission has changed", podImage: "mirror.example/shop/app:1.1.0", failing: 1 },
  { of: "an unready pod, if no revision is known", hash: "r-1", revisions: [], failing: 1 },
])("of $of, $failing fails", async ({ hash = "r-2", revisions = ["r-1", "r-2"], status = crashing, ...rest }) => {
  const { podImage = target, deletionTimestamp, failing } = rest;
  for (const { kind, label } of [
    { kind: "Deployment", label: "pod-template-hash" },
    { kind: "StatefulSet", label: "controller-revision-hash" },
    { kind: "DaemonSet", label: "controller-revision-hash" },
  ]) {
    const labels = { [label]: hash };
    const metadata = {
      name: "app-1",
      uid: "p-1",
      labels,
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    };
    const pod = { metadata, spec: { containers: [{ name: "app", image: podImage }] }, status };
    const found = revisions.map((name, index) => ({
      metadata: {
        name,
        labels: { [label]: name },
        annotations: { "deployment.kubernetes.io/revision": `${index + 1}` },
        ownerReferences: [{ ...controller, kind }],
      },
      ...(kind === "Deployment" ? {} : { revision: index + 1 }),
    }));
    const updateRevision = kind === "StatefulSet" ? revisions.at(-1) : undefined;
    await using server = await startScriptedServer(({ path }) => {
      if (path.includes("/pods")) return { code: 200, body: { metadata: {}, items: [pod] } };
      if (/replicasets|controllerrevisions/.test(path)) return { code: 200, body: { metadata: {}, items: found } };
      return { code: 200, body: { ...deployment("u-1"), status: { updateRevision } } };
    });
    const ref = { ...workload().ref, kind };
    const counts = await clusterAt(server.url).countUnavailablePods({ ...workload(), ref, inFlight });
    expect({ kind, ...counts }).toMatchObject({ kind, failing });
  }
});

test.for([
  {
    kind: "Deployment",
    apiVersion: "apps/v1",
    object: "/deployments/app-canary",
    uid: "u-canary",
    excused: 2,
    judged: ["r-1", "r-2"],
  },
  { kind: "StatefulSet", apiVersion: "apps/v1", object: "/statefulsets/app", uid: "u-1", excused: 1, judged: ["r-2"] },
  {
    kind: "StatefulCanary",
    apiVersion: "pawl.dev/v1alpha1",
    object: "/statefulsets/app-canary",
    uid: "u-canary",
    excused: 1,
    judged: ["r-2"],
  },
])("of a canary of a $kind, only its own pods count", async ({ object, uid, excused, judged, ...kind }) => {
  const unscheduled = (revision: string) => ({
    metadata: { name: revision, uid: revision, labels: { "controller-revision-hash": revision } },
    spec: { containers: [{ name: "app", image: target }] },
    status: conditions({ PodScheduled: "False" }),
  });
  const ownerReferences = uid === "u-1" ? [] : [{ uid: "u-1" }];
  const owner = {
    metadata: { name: "app", namespace: "shop", uid, resourceVersion: "7", ownerReferences },
    spec: { selector: { matchLabels: { app: "app" } } },
    ...(kind.kind === "Deployment" ? {} : { status: { updateRevision: "r-2" } }),
  };
  await using server = await startScriptedServer(({ path }) => {
    if (path.includes("/pods"))
      return { code: 200, body: { metadata: {}, items: [unscheduled("r-1"), unscheduled("r-2")] } };
    return path.includes(object) ? { code: 200, body: owner } : { code: 404, body: {} };
  });
  const ref = { ...workload().ref, ...kind };
  const counts = await clusterAt(server.url).countUnavailablePods({ ...workload(), ref, inFlight: canaryInFlight });
  expect(counts).toMatchObject({ excused, failing: 0, crashed: 0, control: [], evidence: [] });
  expect(counts.pods.map((pod) => pod.name)).toEqual(judged);
});

test("a pod of a canary is not its control, and those of its Deployment and its baseline are", async () => {
  const terminated = { exitCode: 1, finishedAt: "2026-11-20T12:30:00Z" };
  const crashed = (name: string, labels = {}) => ({
    metadata: { name, uid: name, labels },
    spec: { containers: [{ name: "app", image: target }] },
    status: { ...conditions(running), containerStatuses: [{ name: "app", lastState: { terminated } }] },
  });
  const owner = (uid: string, app: string) => ({
    metadata: { name: app, namespace: "shop", uid, resourceVersion: "7", ownerReferences: [{ uid: "u-1" }] },
    spec: { selector: { matchLabels: { app } } },
  });
  const items = [
    crashed("canary", { "pawl.dev/role": "canary" }),
    crashed("baseline", { "pawl.dev/role": "baseline" }),
    crashed("stable"),
  ];
  await using server = await startScriptedServer(({ path }) => {
    if (path.includes("/pods"))
      return { code: 200, body: { metadata: {}, items: path.includes("canary") ? items.slice(0, 1) : items } };
    if (path.includes("/deployments/"))
      return { code: 200, body: path.includes("app-canary") ? owner("u-canary", "canary") : owner("u-1", "app") };
    return { code: 200, body: { metadata: {}, items: [] } };
  });
  const counted = async (update: InFlight) => {
    const { control, evidence } = await clusterAt(server.url).countUnavailablePods({ ...workload(), inFlight: update });
    return [control, evidence].map((found) => found.map(({ pod }) => pod));
  };
  expect(await counted(canaryInFlight)).toEqual([["baseline", "stable"], ["canary"]]);
  // Once it is promoted, it is no pod of the version before it either.
  expect(await counted(inFlight)).toEqual([[], ["stable"]]);
});

test.for([
  { of: "a ready pod", status: conditions(running), names: ["app-1"] },
  { of: "a pod that was evicted", status: { ...conditions(running), phase: "Failed", reason: "Evicted" }, names: [] },
  { of: "a pod that is being deleted", deletionTimestamp: "2026-11-20T12:00:30Z", names: [] },
])("of $of, $names are judged one by one", async ({ status = conditions(running), deletionTimestamp, names }) => {
  const metadata = { name: "app-1", uid: "p-1", ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) };
  await using server = await startScriptedServer(({ path }) => ({
    code: 200,
    body: path.includes("/pods")
      ? { metadata: {}, items: [{ metadata, spec: { containers: [] }, status }] }
      : deployment("u-1"),
  }));
  const { pods } = await clusterAt(server.url).countUnavailablePods(workload());
  expect(pods.map(({ name }) => name)).toEqual(names);
});

const exited = (exitCode: number) => ({ terminated: { exitCode } });

test.for([
  { of: "a pod of the update that exited with an error", status: [{ state: exited(1) }], crashed: 1 },
  { of: "a pod of the update that was restarted after an error", status: [{ lastState: exited(137) }], crashed: 1 },
  { of: "a pod of the update whose init container fails", init: [{ lastState: exited(2) }], crashed: 1 },
  { of: "a pod of the update that has completed", status: [{ state: exited(0) }], crashed: 0 },
  { of: "a pod of the update that runs", status: [{ state: { running: {} } }], crashed: 0 },
  { of: "a ready pod of the update that was restarted", status: [{ lastState: exited(1) }], ready: "True", crashed: 0 },
  { of: "a pod of another image that exited with an error", image, status: [{ state: exited(1) }], crashed: 0 },
])("of $of, $crashed has crashed", async ({ image: podImage = target, status, init, ready = "False", crashed }) => {
  const items = [
    {
      metadata: { name: "app-1", uid: "p-1" },
      spec: { containers: [{ name: "app", image: podImage }] },
      status: {
        ...conditions({ ...running, ContainersReady: ready, Ready: ready }),
        ...(status && { containerStatuses: status.map((one) => ({ name: "app", ...one })) }),
        ...(init && { initContainerStatuses: init.map((one) => ({ name: "init", ...one })) }),
      },
    },
  ];
  await using server = await startScriptedServer(({ path }) => ({
    code: 200,
    body: path.includes("/pods") ? { metadata: {}, items } : deployment("u-1"),
  }));
  const counts = await clusterAt(server.url).countUnavailablePods({ ...workload(), inFlight });
  expect(counts).toMatchObject({ excused: 0, crashed });
});

test.for([
  { when: "it was recreated", object: deployment("u-2") },
  { when: "it selects no pods", object: deployment("u-1", {}) },
])("no pod is excused if $when", async ({ object }) => {
  await using server = await startScriptedServer(({ path }) => {
    if (path.includes("/pods")) throw new Error("pods were listed");
    return { code: 200, body: object };
  });
  expect(await clusterAt(server.url).countUnavailablePods(workload())).toEqual({
    excused: 0,
    failing: 0,
    crashed: 0,
    control: [],
    evidence: [],
    pods: [],
  });
});

test("a kind that Pawl does not update has none", async () => {
  const ref = { ...workload().ref, kind: "Rollout" };
  await using server = await startScriptedServer(() => ({ code: 500, body: {} }));
  expect(await clusterAt(server.url).countUnavailablePods({ ...workload(), ref })).toEqual({
    excused: 0,
    failing: 0,
    crashed: 0,
    control: [],
    evidence: [],
    pods: [],
  });
});

function deployment(uid: string, selector: object = { matchLabels: { app: "app" } }): object {
  return { metadata: { name: "app", namespace: "shop", uid, resourceVersion: "7" }, spec: { selector } };
}
