import { afterAll, beforeEach, expect, test } from "vitest";
import { measure, startAnalysis } from "../../../../functions/domain/analysis/measure.ts";
import type { Change } from "../../../../functions/domain/workload/update/change.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { adoptUpdate } from "../../../../functions/handlers/adopt-update.ts";
import { rollBack } from "../../../../functions/handlers/roll-back.ts";
import { startCanary } from "../../../../functions/handlers/start-canary.ts";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { createInProcessCheckRecorder } from "../../../../functions/workflows/poll/record/record-check.ts";
import {
  applyWhenReady,
  type InterruptedWrite,
  openCanary,
  startCanaryCluster,
  type Step,
  target,
} from "./stateful-canary-harness.ts";
import { imageTarget } from "../../../support/workloads.ts";

const cluster = await startCanaryCluster();
afterAll(() => cluster.close());

const other = "registry.invalid/shop/db:2.0.0";
const noon = new Date("2026-11-20T12:00:00Z");
const measured = { verdict: "pass", value: 0.002, note: null } as const;

let opened: Awaited<ReturnType<typeof openCanary>>;
beforeEach(async () => {
  opened = await openCanary(cluster);
  return () => opened.proxy[Symbol.asyncDispose]();
});

async function read(): Promise<Workload> {
  const workload = await opened.ports.cluster.read(opened.input.workload);
  if (workload === null) throw new Error("the StatefulCanary does not exist");
  return workload;
}

async function change(written: Change): Promise<Workload> {
  await opened.ports.cluster.change(await read(), written);
  return read();
}

/** Returns whether the writes from `start` on are to the status or to another part of the object. */
function patchesFrom(start = 0): readonly string[] {
  const patches = opened.proxy.requests.filter(({ method }) => method === "PATCH").slice(start);
  return patches.map(({ path }) => (path.includes("/status?") ? "status" : "object"));
}

test("a hold and a problem are conditions of the status until they are over", async () => {
  const reported = { held: "2.0.0 is not applied", problem: "spec.canaryReplicas 4: is more than totalReplicas 3" };
  expect((await change({ lastReported: reported })).lastReported).toEqual(reported);
  const conditions = async () => (await opened.object()).status?.conditions;
  expect(await conditions()).toMatchObject([
    { type: "AutoUpdateHeld", status: "True", reason: "Held", message: reported.held },
    { type: "Valid", status: "False", reason: "SpecInvalid", message: reported.problem },
  ]);
  expect((await change({ lastReported: { problem: null } })).lastReported).toEqual({ ...reported, problem: null });
  expect((await change({ lastReported: { held: null } })).lastReported).toEqual({ held: null, problem: null });
  expect(await conditions()).toMatchObject([
    { type: "Valid", status: "True", reason: "SpecValid" },
    { type: "AutoUpdateHeld", status: "False", reason: "NotHeld" },
  ]);
  expect(patchesFrom()).toEqual(["status", "status", "status"]);
});

test("a back-off is in the status until it ends, and its target is tried again", async () => {
  const backOff = {
    reason: "Refused",
    message: "denied",
    target: imageTarget(target),
    attempts: 2,
    until: noon,
  } as const;
  const { ports, input } = opened;
  expect(await rollBack(ports, { ...input, verdict: "refused", reason: "denied" })).toMatchObject({ kind: "refused" });
  expect(await read()).toMatchObject({ backOff: { ...backOff, attempts: 1, until: expect.any(Date) }, inFlight: null });
  expect(await change({ backOff: { ...backOff, execution: "e-1" } })).toMatchObject({
    backOff: { ...backOff, execution: "e-1" },
    requestedImage: target,
  });
  expect((await opened.object()).status?.backOff).toMatchObject({ attempts: 2, until: "2026-11-20T12:00:00Z" });
  expect((await change({ backOff: null })).backOff).toBeNull();
  expect((await opened.object()).status).not.toHaveProperty("backOff");
});

test("an analysis is in the status, with named fields, and replaced as a whole", async () => {
  const first = measure(startAnalysis(noon), "errors", measured, noon);
  expect((await change({ analysis: first })).analysis).toEqual(first);
  expect((await opened.object()).status?.analysis).toMatchObject({
    startedAt: "2026-11-20T12:00:00Z",
    metrics: [{ name: "errors", passes: 1, failures: 0 }],
    measurements: [{ metric: "errors", verdict: "pass", value: 0.002 }],
  });
  const second = measure(startAnalysis(noon), "latency", measured, noon);
  expect((await change({ analysis: second })).analysis).toEqual(second);
  expect((await change({ analysis: null })).analysis).toBeNull();
  expect((await opened.object()).status).not.toHaveProperty("analysis");
  expect(patchesFrom()).toEqual(["status", "status", "status"]);
});

test("the analysis of an earlier update is not that of the canary in flight, also if its removal was interrupted", async () => {
  const earlier = startAnalysis(new Date("2026-11-19T12:00:00Z"));
  await change({ analysis: earlier });
  // The first write is the claim, and the second one removes the analysis.
  const { ports, input } = opened;
  const claimed = {
    target: imageTarget(target),
    startedAt: noon,
    execution: "e-1",
    previousImage: null,
    digests: null,
  } as const;
  await change({ inFlight: { ...claimed, phase: "canary" } });
  expect((await opened.object()).status?.analysis).toBeDefined();
  expect((await read()).analysis).toBeNull();
  await startCanary(ports, input);
  const own = startAnalysis(noon);
  expect((await change({ analysis: own })).analysis).toEqual(own);
});

test.for<{ phase: string; steps: readonly Step[]; replicas: object }>([
  { phase: "a canary", steps: [startCanary], replicas: { stable: 3, canary: 1 } },
  { phase: "a promotion", steps: [startCanary, applyWhenReady], replicas: { stable: 3, canary: 1 } },
])(
  "another image during $phase: the poll writes the status only, and an execution ends the claim",
  async ({ steps, replicas }) => {
    const { input } = opened;
    const ports = { ...opened.ports, checkRecorder: createInProcessCheckRecorder(opened.ports) };
    for (const step of steps) await step(ports, input);
    await opened.harness.request("PATCH", opened.path, {
      body: { spec: { canaryImage: other } },
      contentType: "application/merge-patch+json",
    });
    const before = patchesFrom().length;
    expect(await pollCluster(ports)).toMatchObject({ started: 1, failed: [] });
    expect(patchesFrom(before)).toEqual(["status"]);
    const held = `the image was changed to ${other} while ${target} was rolled out`;
    expect(await read()).toMatchObject({ inFlight: { execution: "e-1" }, lastReported: { held } });
    const [started] = ports.executions.started;
    expect(started?.input).toMatchObject({ target: { image: target }, strategy: "abort", adopting: true });
    const cleanup = { ...input, ...started?.input, execution: started?.name ?? "" };
    for (const attempt of ["first", "repeated"]) {
      const { kind } = await adoptUpdate(ports, cleanup);
      expect({ attempt, kind }).toEqual({ attempt, kind: "superseded" });
    }
    const { metadata, status } = await opened.object();
    expect(status).toMatchObject({ currentPhase: "Initializing", message: held });
    expect({ finalizers: metadata.finalizers ?? [], annotations: metadata.annotations ?? {} }).toEqual({
      finalizers: [],
      annotations: {},
    });
    const [stable, canary] = await Promise.all([opened.set("stable"), opened.set("canary")]);
    expect({ stable: stable.spec.replicas, canary: canary.spec.replicas }).toEqual(replicas);
    ports.executions.finish(started?.name ?? "");
    await pollCluster(ports);
    expect(ports.executions.started.at(-1)?.input).toMatchObject({
      target: { image: other },
      strategy: "canary",
      adopting: false,
    });
  },
);

test.for([
  { when: "before the server stores it", isWritten: false },
  { when: "after the server stores it", isWritten: true },
])(
  "if any write of that execution is interrupted $when, the repeated step has the same result",
  async ({ isWritten }) => {
    const changeImage = async ({ harness, path }: typeof opened) =>
      void (await harness.request("PATCH", path, {
        body: { spec: { canaryImage: other } },
        contentType: "application/merge-patch+json",
      }));
    const before = await releaseAfter({ cut: 0, isWritten }, changeImage);
    expect(before.count).toBe(2);
    for (let cut = before.start + 1; cut <= before.start + before.count; cut += 1) {
      const { result } = await releaseAfter({ cut, isWritten }, changeImage);
      expect({ cut, result }).toEqual({ cut, result: before.result });
    }
  },
);

/** Promotes, lets a person change the object, and releases the claim, once more if that fails. */
async function releaseAfter(interrupted: InterruptedWrite, edit: (of: typeof opened) => Promise<void>) {
  const of = await openCanary(cluster, interrupted);
  for (const step of [startCanary, applyWhenReady]) await step(of.ports, of.input);
  await edit(of);
  const start = of.writes();
  const release = () =>
    adoptUpdate(of.ports, { ...of.input, strategy: "abort", adopting: true, execution: "e-2" }).catch(() => null);
  if ((await release()) === null) await release();
  const { metadata, status } = await of.object();
  await of.proxy[Symbol.asyncDispose]();
  const { currentPhase, message, autoUpdate } = status ?? {};
  const { annotations = {}, finalizers = [] } = metadata;
  return { start, count: of.writes() - start, result: { currentPhase, message, autoUpdate, annotations, finalizers } };
}
