import { KubernetesObjectApi } from "@kubernetes/client-node";
import { describe, expect, onTestFinished, test } from "vitest";
import { createKubernetesPollLease, readLastPoll } from "../../../../functions/adapters/kubernetes/poll-lease.ts";
import { createClaimHolder, localHolderId } from "../../../../functions/runtime/claim-holder.ts";
import { startCluster } from "../embedded-cluster.ts";
import { kubeConfigAt, ok, type Script, startScriptedServer } from "../api/scripted-server.ts";

const lease = (namespace: string) => ({
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name: "pawl-poll", namespace },
});

/** Starts a cluster with the Lease, and returns a function that opens it for an installation with a clock. */
async function clusterWithLease(namespace = "kube-system") {
  const cluster = await startCluster();
  onTestFinished(() => cluster.close());
  const objects = KubernetesObjectApi.makeApiClient(cluster.kubeConfig);
  await objects.create(lease(namespace));
  const open = (id = "aws", now: () => Date = () => new Date(), namespaces: readonly string[] | null = null) =>
    createKubernetesPollLease({ kubeConfig: cluster.kubeConfig, namespaces, holder: createClaimHolder(id), now });
  const read = async () => ((await objects.read(lease(namespace))) as { spec?: Record<string, unknown> }).spec;
  return { open, read, kubeConfig: cluster.kubeConfig };
}

const later = (seconds: number) => () => new Date(Date.now() + seconds * 1000);

describe("two polls", () => {
  test("that start at the same time: one holds the lease, and the others see who", async () => {
    const { open, read } = await clusterWithLease();
    const states = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => open(`installation-${index}`).acquire("poll")),
    );
    const kinds = states.map((one) => (one.status === "fulfilled" ? one.value.kind : (one.reason as Error).name));
    expect(kinds.filter((kind) => kind === "held")).toHaveLength(1);
    expect(kinds.filter((kind) => kind !== "held" && kind !== "taken")).toEqual([]);
    expect(await read()).toMatchObject({ leaseTransitions: 1, leaseDurationSeconds: 60 });
  });

  test("follow each other after a release, which only the holder can make", async () => {
    const { open, read } = await clusterWithLease();
    expect(await open().acquire("first")).toEqual({ kind: "held", takenOverFrom: null });
    await open().release("second");
    expect(await open().acquire("second")).toEqual({ kind: "taken", by: "aws first" });
    await open().release("first");
    expect(await open().acquire("second")).toEqual({ kind: "held", takenOverFrom: null });
    expect(await read()).toMatchObject({ holderIdentity: "aws second", leaseTransitions: 2 });
  });

  test("note who polls, and how often, for everybody who may read the Lease", async () => {
    const { open, kubeConfig } = await clusterWithLease();
    expect(await readLastPoll(kubeConfig, null)).toBeNull();
    await open("pawl-production").acquire("first");
    expect(await readLastPoll(kubeConfig, null)).toMatchObject({
      by: "pawl-production",
      isRunning: true,
      rhythm: null,
    });
    await open("pawl-production").release("first");
    await open("pawl-production", later(3600)).acquire("second");
    await open("pawl-production", later(3630)).acquire("second");
    await open("pawl-production", later(3640)).release("second");
    const last = await readLastPoll(kubeConfig, null);
    expect(last).toMatchObject({ by: "pawl-production", isRunning: false });
    // The clock of this test moves on between its looks.
    expect(last?.rhythm?.everySeconds).toBeGreaterThanOrEqual(3600);
    expect(last?.rhythm?.everySeconds).toBeLessThan(4000);
    expect(last?.at.getTime()).toBeGreaterThan(last?.rhythm?.startedAt.getTime() ?? Infinity);
  });

  test("of pushes in between change neither how often the cluster is polled, nor when it was", async () => {
    const { open, kubeConfig } = await clusterWithLease();
    await open("pawl", later(0)).acquire("first");
    await open("pawl", later(3600)).acquire("second");
    await open("pawl", later(3640)).release("second");
    const before = await readLastPoll(kubeConfig, null);
    await open("pawl", later(5000)).acquire("selected-push");
    await open("pawl", later(5010)).release("selected-push");
    expect((await readLastPoll(kubeConfig, null))?.rhythm).toEqual(before?.rhythm);
  });

  test("of one id, as the batches of a large poll, renew their lease with one write", async () => {
    const { open, read } = await clusterWithLease();
    await open("aws").acquire("poll");
    const batches = Array.from({ length: 8 }, () => open("aws", later(30)).acquire("poll"));
    expect(await Promise.all(batches)).toEqual(batches.map(() => ({ kind: "held", takenOverFrom: null })));
    const renewed = await read();
    expect(await open("aws", later(40)).acquire("poll")).toEqual({ kind: "held", takenOverFrom: null });
    expect(await read()).toEqual(renewed);
  });

  test("renew their own lease without a transition", async () => {
    const { open, read } = await clusterWithLease();
    await open().acquire("poll");
    const before = await read();
    expect(await open("aws", later(20)).acquire("poll")).toEqual({ kind: "held", takenOverFrom: null });
    const after = await read();
    expect(after).toMatchObject({ acquireTime: before?.["acquireTime"], leaseTransitions: 1 });
    expect(after?.["renewTime"]).not.toEqual(before?.["renewTime"]);
  });
});

describe("a holder that was killed", () => {
  test("keeps the lease for a minute", async () => {
    const { open } = await clusterWithLease();
    await open().acquire("killed");
    expect(await open("aws", later(58)).acquire("next")).toMatchObject({ kind: "taken" });
    expect(await open("aws", later(62)).acquire("next")).toEqual({ kind: "held", takenOverFrom: "aws killed" });
    expect(await open("aws", later(82)).acquire("next")).toEqual({ kind: "held", takenOverFrom: null });
  });

  test("on this machine loses it at once", async () => {
    const { open } = await clusterWithLease();
    const dead = localHolderId.replace(/\d+$/, "999999999");
    await open(dead).acquire("killed");
    expect(await open("aws").acquire("next")).toEqual({ kind: "held", takenOverFrom: `${dead} killed` });
  });

  test("in this process keeps it", async () => {
    const { open } = await clusterWithLease();
    await open(localHolderId).acquire("running");
    expect(await open("aws").acquire("next")).toEqual({ kind: "taken", by: `${localHolderId} running` });
  });
});

test.for([7200, -7200])("a clock that is %d s off stops nobody else, and is not stopped", async (seconds) => {
  const { open } = await clusterWithLease();
  expect(await open("off", later(seconds)).acquire("one")).toEqual({ kind: "held", takenOverFrom: null });
  expect(await open("right").acquire("two")).toEqual({ kind: "held", takenOverFrom: "off one" });
  expect(await open("off", later(seconds)).acquire("three")).toEqual({ kind: "held", takenOverFrom: "right two" });
});

test("an installation of some namespaces uses the Lease of the first", async () => {
  const { open, read } = await clusterWithLease("default");
  expect(await open("aws", later(0), ["shop", "default"]).acquire("poll")).toEqual({
    kind: "held",
    takenOverFrom: null,
  });
  expect(await open("aws", later(0), ["shop"]).acquire("poll")).toEqual({ kind: "absent" });
  expect(await read()).toMatchObject({ holderIdentity: "aws poll" });
});

describe("without a Lease", () => {
  test("there is nothing to take or release", async () => {
    const { open } = await clusterWithLease("default");
    expect(await open().acquire("poll")).toEqual({ kind: "absent" });
    await expect(open().release("poll")).resolves.toBeUndefined();
  });
});

describe("API errors", () => {
  const stored = { ...lease("kube-system"), metadata: { ...lease("kube-system").metadata, resourceVersion: "1" } };
  const conflict = { code: 409, body: { kind: "Status", reason: "Conflict" } };

  async function openAt(script: Script) {
    const server = await startScriptedServer(script);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const kubeConfig = kubeConfigAt(server.url);
    const holder = createClaimHolder("aws");
    const opened = createKubernetesPollLease({ kubeConfig, namespaces: null, holder, now: () => new Date() });
    return { opened, server };
  }

  test.for([
    { code: 403, name: "Forbidden" },
    { code: 500, name: "Unreachable" },
    { code: 429, name: "Throttled" },
  ])("$code is $name", async ({ code, name }) => {
    const { opened } = await openAt(() => ({ code, body: {} }));
    await expect(opened.acquire("poll")).rejects.toMatchObject({ name });
    await expect(opened.release("poll")).rejects.toMatchObject({ name });
  });

  test("a conflict is decided again on what is there now, three times", async () => {
    const { opened, server } = await openAt(({ method }) => (method === "GET" ? ok(stored) : conflict));
    await expect(opened.acquire("poll")).rejects.toMatchObject({ name: "Conflict" });
    expect(server.requests.map(({ method }) => method)).toEqual(["GET", "PATCH", "GET", "PATCH", "GET", "PATCH"]);
  });

  test("every write is conditional on what was read", async () => {
    const { opened, server } = await openAt(() => ok(stored));
    await opened.acquire("poll");
    expect(JSON.parse(server.requests[1]?.body ?? "")).toMatchObject({ metadata: { resourceVersion: "1" } });
  });
});
