import { expect, test } from "vitest";
import { readOrThrow } from "../../../cli/workloads/read.ts";
import { awaitAnswer } from "../../../cli/workloads/await-answer.ts";
import { writeRequest } from "../../../cli/workloads/write-request.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { claw, workload } from "../../support/workloads.ts";
import { fakeCluster } from "../fake-cluster.ts";
import { problemsOf } from "../../support/problems.ts";

const record = { resourceVersion: "7", state: "observed", isManaged: true, claimedElsewhereUntil: null } as const;
const retry = { verb: "retry", argument: null, token: "t-1" };
const push = { verb: "push", argument: "1.1.0", token: "t-1" };
const pending = { verb: "push", argument: "1.3.0", token: "t-0" };
const answer = { token: "t-1", verb: "retry", result: "every newer version is tried again" };

function recorded(parts: Parameters<typeof workload>[0] = {}): Workload {
  return { ...workload(parts), record };
}

test("writes the request with its token", async () => {
  const cluster = fakeCluster([]);
  const found = recorded();
  expect(await writeRequest(cluster, found, push)).toEqual({ kind: "written", workload: found, replaced: null });
  expect(cluster.requests).toEqual(["push 1.1.0 t-1"]);
});

test("decides again after a conflict", async () => {
  const other = recorded({ policy: { optIn: "no" } });
  const cluster = fakeCluster([], { conflicts: 1, reads: [other] });
  expect(await writeRequest(cluster, recorded(), push)).toEqual({
    kind: "refused",
    reason: "auto-update is disabled; set pawl.dev/auto-update=true",
  });
  expect(cluster.requests).toEqual([]);
});

test("names the request that it replaces", async () => {
  const found = { ...recorded(), request: pending };
  expect(await writeRequest(fakeCluster([]), found, retry)).toMatchObject({ kind: "written", replaced: pending });
});

test("does not refuse for a Claw whose image only the poll knows", async () => {
  const cluster = fakeCluster([]);
  await writeRequest(cluster, { ...claw(), source: null }, retry);
  expect(cluster.requests).toEqual(["retry t-1"]);
});

test.for<{ when: string; found: Workload; message: string }>([
  {
    when: "before there is an AutoUpdate",
    found: { ...workload(), record: { ...record, resourceVersion: null, state: "missing" } },
    message: "it has no AutoUpdate yet; the next poll creates it",
  },
  {
    when: "without the CRD",
    found: {
      ...workload({ problems: problemsOf("run kubectl apply -k infra/cluster/crds") }),
      record: { ...record, state: "unavailable" },
    },
    message: "run kubectl apply -k infra/cluster/crds",
  },
])("throws NotFound $when, and says how to fix it", async ({ found, message }) => {
  const cluster = fakeCluster([]);
  await expect(writeRequest(cluster, found, retry)).rejects.toMatchObject({
    name: "NotFound",
    message: expect.stringContaining(message),
  });
  expect(cluster.requests).toEqual([]);
});

const soon = { timeoutSeconds: 5, intervalSeconds: 0.01 };

test("waits until the request is answered", async () => {
  const waiting = { ...recorded(), request: retry };
  const cluster = fakeCluster([], { reads: [waiting, waiting, { ...recorded(), lastRequest: answer }] });
  expect(await awaitAnswer(() => readOrThrow(cluster, waiting), retry, soon)).toEqual({ kind: "answered", answer });
});

test("stops if another request takes its place", async () => {
  const cluster = fakeCluster([], { reads: [{ ...recorded(), request: pending }] });
  expect(await awaitAnswer(() => readOrThrow(cluster, recorded()), retry, soon)).toEqual({ kind: "replaced" });
});

test("stops after the timeout", async () => {
  const waiting = { ...recorded(), request: retry };
  const cluster = fakeCluster([], { reads: Array.from({ length: 99 }, () => waiting) });
  expect(
    await awaitAnswer(() => readOrThrow(cluster, waiting), retry, { timeoutSeconds: 0.05, intervalSeconds: 0.01 }),
  ).toEqual({
    kind: "timeout",
  });
});

test("throws NotFound if the workload is deleted meanwhile", async () => {
  const cluster = fakeCluster([], { reads: [null] });
  await expect(awaitAnswer(() => readOrThrow(cluster, recorded()), retry, soon)).rejects.toMatchObject({
    name: "NotFound",
  });
});
