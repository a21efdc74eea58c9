import { afterAll, expect, test } from "vitest";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { checkCanary } from "../../../../functions/handlers/check-canary.ts";
import { checkReadiness } from "../../../../functions/handlers/check-readiness.ts";
import { startCanary } from "../../../../functions/handlers/start-canary.ts";
import { applyWhenReady, openCanary, startCanaryCluster, type Step } from "./stateful-canary-harness.ts";
import { revert } from "../../../handlers/steps.ts";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { createInProcessCheckRecorder } from "../../../../functions/workflows/poll/record/record-check.ts";
import { requestOf } from "../../../support/request-of.ts";

const cluster = await startCanaryCluster();
afterAll(() => cluster.close());

const abort: Step = (ports, input) => revert(ports, { ...input, verdict: "expired", reason: "aborted manually" });

type Opened = Awaited<ReturnType<typeof openCanary>>;

async function read({ ports, input }: Opened): Promise<Workload> {
  const workload = await ports.cluster.read(input.workload);
  if (workload === null) throw new Error("the StatefulCanary does not exist");
  return workload;
}

const promoted = {
  asked: "promote full",
  verb: "promote",
  kind: "promoted",
  result: "the canary is promoted",
} as const;
const aborted = { asked: "abort", verb: "abort", kind: "expired", result: "the canary is removed" } as const;

test.for<{ asked: string; verb: "promote" | "abort"; kind: string; step: Step; result: string; phase: string }>([
  { ...promoted, step: applyWhenReady, phase: "Promoting" },
  { ...aborted, step: abort, phase: "Failed" },
])("$asked is a request on the StatefulCanary, answered in a condition", async (row) => {
  const { asked, verb, kind, step, result, phase } = row;
  const opened = await openCanary(cluster);
  const { ports, input } = opened;
  await startCanary(ports, input);
  await ports.cluster.request(await read(opened), requestOf(`${asked} t-1`));
  expect(await read(opened)).toMatchObject({ request: { verb, token: "t-1" }, verdict: verb });
  expect(await checkCanary(ports, { ...input, executionStartedAt: "2026-11-20T12:00:00Z" })).toMatchObject({ kind });
  await step(ports, input);
  expect(await read(opened)).toMatchObject({ request: null, lastRequest: { token: "t-1", verb, result } });
  const { metadata, status } = await opened.object();
  // Pawl never removes it: the token says that it was handled.
  expect(metadata.annotations).toMatchObject({ "pawl.dev/request": `${asked} t-1` });
  expect(status).toMatchObject({
    currentPhase: phase,
    conditions: expect.arrayContaining([
      expect.objectContaining({ type: "RequestHandled", reason: "Done", message: `t-1 ${verb}: ${result}` }),
    ]),
  });
  await opened.proxy[Symbol.asyncDispose]();
});

test("abort while it is promoted restores the stable set, and is answered in a condition", async () => {
  const opened = await openCanary(cluster);
  const { ports, input } = opened;
  await startCanary(ports, input);
  await applyWhenReady(ports, input);
  const before = (await opened.set("stable")).spec.template.spec.containers[0]?.image;
  await ports.cluster.request(await read(opened), requestOf("abort t-1"));
  expect(await read(opened)).toMatchObject({ inFlight: { phase: "rollout" }, verdict: "abort" });
  const verdict = await checkReadiness(ports, { ...input, executionStartedAt: "2026-11-20T12:00:00Z" });
  expect(verdict).toMatchObject({ kind: "fail", reason: "aborted manually" });
  await revert(ports, { ...input, verdict: verdict.kind, reason: verdict.reason });
  expect(await read(opened)).toMatchObject({
    request: null,
    lastRequest: { verb: "abort", result: "the update is aborted" },
  });
  expect((await opened.object()).status).toMatchObject({ currentPhase: "Failed" });
  expect((await opened.set("stable")).spec.template.spec.containers[0]?.image).not.toBe(before);
  await opened.proxy[Symbol.asyncDispose]();
});

test("promote of a canary that is not paused is refused in a condition", async () => {
  const opened = await openCanary(cluster);
  await startCanary(opened.ports, opened.input);
  await opened.ports.cluster.request(await read(opened), requestOf("promote t-1"));
  const step = { ...opened.input, executionStartedAt: "2026-11-20T12:00:00Z" };
  expect(await checkCanary(opened.ports, step)).toMatchObject({ kind: "ready" });
  const result = "the canary is not paused at step 1/1 (1 replica); use pawl promote --full to update all replicas now";
  expect(await read(opened)).toMatchObject({ request: null, inFlight: { phase: "canary" } });
  expect((await opened.object()).status?.conditions).toContainEqual(
    expect.objectContaining({ type: "RequestHandled", reason: "Refused", message: `t-1 promote: refused: ${result}` }),
  );
  await opened.proxy[Symbol.asyncDispose]();
});

test.for<{ asked: string; verb: "promote" | "abort"; step: Step; phase: string; result: string; canary: number }>([
  { ...promoted, step: applyWhenReady, phase: "rollout", canary: 1 },
  { ...aborted, step: abort, phase: "rollback", canary: 0 },
])("$asked stands, and no poll refuses it, if its step is interrupted after any write", async (row) => {
  const { asked, verb, step, phase, result, canary } = row;
  const ask = async (opened: Opened) => {
    await startCanary(opened.ports, opened.input);
    await opened.ports.cluster.request(await read(opened), requestOf(`${asked} t-1`));
  };
  // Writes are counted from the first one of `startCanary`.
  const opened = await openCanary(cluster);
  await ask(opened);
  const before = opened.writes();
  await step(opened.ports, opened.input);
  const after = opened.writes();
  await opened.proxy[Symbol.asyncDispose]();
  expect(after - before).toBeGreaterThan(2);
  for (let cut = before + 1; cut <= after; cut += 1) {
    const interrupted = await openCanary(cluster, { cut, isWritten: true });
    const { ports, input } = interrupted;
    await ask(interrupted);
    await expect(Promise.resolve(step(ports, input))).rejects.toMatchObject({ name: "Unreachable" });
    await pollCluster({ ...ports, checkRecorder: createInProcessCheckRecorder(ports) });
    const { inFlight, verdict, lastRequest } = await read(interrupted);
    const stands = verdict === verb || inFlight === null || inFlight.phase === phase;
    expect({ cut, stands, answer: lastRequest?.result ?? result }).toEqual({ cut, stands: true, answer: result });
    await step(ports, input).catch(() => undefined);
    expect(await read(interrupted)).toMatchObject({ request: null, lastRequest: { token: "t-1", verb, result } });
    expect((await interrupted.set("canary")).spec.replicas).toBe(canary);
    await interrupted.proxy[Symbol.asyncDispose]();
  }
});
