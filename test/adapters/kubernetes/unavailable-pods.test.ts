import { expect, test } from "vitest";
import { image, inFlight, target, workload } from "../../support/workloads.ts";
import { clusterAt, startScriptedServer } from "./scripted-server.ts";

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
  expect(await clusterAt(server.url).countUnavailablePods(workload())).toEqual({ excused, crashed: 0 });
});

test.for([
  { of: "an unready pod that a StatefulSet has not replaced yet", revision: "r-1", ready: "False", excused: 1 },
  { of: "an unready pod of its update", revision: "r-2", ready: "False", excused: 0 },
  { of: "a ready pod of the revision before", revision: "r-1", ready: "True", excused: 0 },
])("of $of, $excused is excused", async ({ revision, ready, excused }) => {
  const metadata = { name: "app-0", uid: "p-0", labels: { "controller-revision-hash": revision } };
  const status = conditions({ ...running, ContainersReady: ready, Ready: ready });
  const items = [{ metadata, spec: { containers: [] }, status }];
  await using server = await startScriptedServer(({ path }) => ({
    code: 200,
    body: path.includes("/pods")
      ? { metadata: {}, items }
      : { ...deployment("u-1"), status: { updateRevision: "r-2" } },
  }));
  const ref = { ...workload().ref, kind: "StatefulSet" };
  expect(await clusterAt(server.url).countUnavailablePods({ ...workload(), ref })).toEqual({ excused, crashed: 0 });
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
  expect(counts).toEqual({ excused: 0, crashed });
});

test.for([
  { when: "it was recreated", object: deployment("u-2") },
  { when: "it selects no pods", object: deployment("u-1", {}) },
])("no pod is excused if $when", async ({ object }) => {
  await using server = await startScriptedServer(({ path }) => {
    if (path.includes("/pods")) throw new Error("pods were listed");
    return { code: 200, body: object };
  });
  expect(await clusterAt(server.url).countUnavailablePods(workload())).toEqual({ excused: 0, crashed: 0 });
});

test("a kind that Pawl does not update has none", async () => {
  const ref = { ...workload().ref, kind: "Rollout" };
  await using server = await startScriptedServer(() => ({ code: 500, body: {} }));
  expect(await clusterAt(server.url).countUnavailablePods({ ...workload(), ref })).toEqual({ excused: 0, crashed: 0 });
});

function deployment(uid: string, selector: object = { matchLabels: { app: "app" } }): object {
  return { metadata: { name: "app", namespace: "shop", uid, resourceVersion: "7" }, spec: { selector } };
}
