import { afterAll, describe, expect, test } from "vitest";
import { analyzeCanary } from "../../../../functions/handlers/analyze-canary.ts";
import { applyUpdate } from "../../../../functions/handlers/apply-update.ts";
import { recordSuccess } from "../../../../functions/handlers/record-success.ts";
import { startCanary } from "../../../../functions/handlers/start-canary.ts";
import { noon } from "../../../support/workloads.ts";
import { good } from "../../../handlers/canary/canary-steps.ts";
import { revert } from "../../../handlers/steps.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { type InterruptedWrite, openCanary, startCanaryCluster, type Step } from "./stateful-canary-harness.ts";

const cluster = await startCanaryCluster();
afterAll(() => cluster.close());

const spec = { steps: [{ size: "1" }, { size: "60%" }, { pause: { withdrawAfter: "1h" } }] };

type Opened = Awaited<ReturnType<typeof openCanary>>;

async function stateOf(opened: Opened) {
  const { status } = await opened.object();
  const [stable, canary] = await Promise.all([opened.set("stable"), opened.set("canary")]);
  const { step, size, waitsFor } = status?.canary ?? {};
  return {
    phase: status?.currentPhase,
    message: status?.message,
    replicas: [stable.spec.replicas, canary.spec.replicas],
    counted: [status?.stableReplicas, status?.canaryReplicas],
    step: status?.canary && `${step} ${size} ${waitsFor}`,
  };
}

const analyze: Step = (ports, input) => analyzeCanary(ports, { ...input, executionStartedAt: noon.toISOString() });

/** Runs each step, once more if it fails. The pods of a canary are ready before its next step begins. */
async function run(opened: Opened, steps: readonly Step[]) {
  for (const [index, step] of steps.entries()) {
    if (step === startCanary && index > 0) await waitUntilReady(opened);
    const attempt = () => step(opened.ports, opened.input);
    await attempt().catch(attempt);
  }
}

async function waitUntilReady(opened: Opened) {
  await expect
    .poll(async () => {
      const { spec: wanted, status } = await opened.set("canary");
      return [status.updatedReplicas, status.readyReplicas].map((count) => count === wanted.replicas);
    })
    .toEqual([true, true]);
}

async function edit({ harness, path }: Opened, changed: object) {
  const patch = { body: { spec: changed }, contentType: "application/merge-patch+json" };
  expect((await harness.request("PATCH", path, patch)).code).toBe(200);
}

const toPause = [startCanary, analyze, startCanary, analyze, startCanary];
const paused = {
  phase: "Progressing",
  message: "step 3/3 (60%): paused until 2026-11-20T13:00:00Z, or until pawl promote",
  replicas: [1, 2],
  counted: [1, 2],
  step: "3 60% Promotion",
};
const promoted = { phase: "Succeeded", replicas: [3, 0], counted: [3, 0], step: undefined };

describe("a StatefulCanary with steps", () => {
  test("grows from step to step, waits for a person, and is promoted", async () => {
    const opened = await openCanary(cluster, undefined, spec);
    await run(opened, toPause.slice(0, 1));
    expect(await stateOf(opened)).toMatchObject({ replicas: [3, 1], counted: [3, 1], step: "1 1 Replicas" });
    await run(opened, toPause.slice(1, 2));
    expect(await stateOf(opened)).toMatchObject({ replicas: [3, 1], step: "1 1 NextStep" });
    await run(opened, toPause.slice(2, 3));
    expect(await stateOf(opened)).toMatchObject({
      message: "step 2/3 (60%): waiting for 2 canary replicas of registry.invalid/shop/db:1.1.0 to become ready",
      replicas: [3, 2],
      step: "2 60% Replicas",
    });
    await waitUntilReady(opened);
    await run(opened, toPause.slice(3));
    expect(await stateOf(opened)).toEqual(paused);
    const executionStartedAt = noon.toISOString();
    expect(await analyzeCanary(opened.ports, { ...opened.input, executionStartedAt })).toMatchObject({
      kind: "running",
      step: "3/3 (60%)",
    });
    await run(opened, [applyUpdate]);
    expect(await stateOf(opened)).toMatchObject({ phase: "Promoting", step: undefined });
    await run(opened, [recordSuccess]);
    expect(await stateOf(opened)).toMatchObject(promoted);
    await opened.proxy[Symbol.asyncDispose]();
  });

  test("shows a pause that is measured, and its new end if that is edited", async () => {
    const opened = await openCanary(cluster, undefined, spec);
    await run(opened, toPause);
    const analysis = { interval: "1m", metrics: [{ name: "errors", query: "errors", threshold: 0.1 }] };
    await edit(opened, { analysis });
    const measuring = { ...fakePorts({ measured: () => good }), cluster: opened.ports.cluster };
    expect(await analyze(measuring, opened.input)).toMatchObject({ kind: "running" });
    expect((await opened.object()).status?.analysis).toMatchObject({ metrics: [{ name: "errors", passes: 1 }] });
    expect(await stateOf(opened)).toEqual(paused);
    await edit(opened, { steps: [...spec.steps.slice(0, 2), { pause: { duration: "10m" } }] });
    expect(await analyze(measuring, opened.input)).toMatchObject({ kind: "running" });
    expect(await stateOf(opened)).toEqual({
      ...paused,
      message: "step 3/3 (60%): paused until 2026-11-20T12:10:00Z",
      step: "3 60% Time",
    });
    await opened.proxy[Symbol.asyncDispose]();
  });

  test("keeps the pod template and the settings that it tests, whatever its owner changes meanwhile", async () => {
    const opened = await openCanary(cluster, undefined, spec);
    await run(opened, toPause.slice(0, 2));
    const edited = { metadata: { annotations: { edited: "yes" } } };
    await edit(opened, { template: { template: edited, minReadySeconds: 7 } });
    await run(opened, toPause.slice(2));
    expect(await stateOf(opened)).toMatchObject({ replicas: [1, 2], step: paused.step });
    await run(opened, [applyUpdate]);
    for (const role of ["stable", "canary"]) {
      const set = await opened.set(role);
      expect(set.spec.template.spec.containers[0]?.image).toBe(opened.input.target.image);
      expect(JSON.stringify(set)).not.toMatch(/"edited"|"minReadySeconds":7/);
    }
    await run(opened, [recordSuccess]);
    // The change is tried next.
    expect(await opened.ports.cluster.read(opened.input.workload)).toMatchObject({
      requestedImage: opened.input.target.image,
    });
    await opened.proxy[Symbol.asyncDispose]();
  });

  test("keeps its size if its steps are edited to a smaller one: its pods serve, and no stable ones wait", async () => {
    const opened = await openCanary(cluster, undefined, spec);
    await run(opened, toPause);
    await edit(opened, { steps: [{ size: "1" }, { size: "70%" }] });
    await run(opened, [analyze, startCanary]);
    expect(await stateOf(opened)).toMatchObject({ replicas: [1, 2], counted: [1, 2], step: "1 60% Replicas" });
    await run(opened, [analyze, startCanary]);
    expect(await stateOf(opened)).toMatchObject({ replicas: [1, 3], step: "2 70% Replicas" });
    await opened.proxy[Symbol.asyncDispose]();
  });

  test("whose canary set is deleted between two steps begins again, with the template that it has then", async () => {
    const opened = await openCanary(cluster, undefined, spec);
    await run(opened, toPause.slice(0, 4));
    await edit(opened, { template: { template: { metadata: { annotations: { edited: "yes" } } } } });
    expect((await opened.harness.request("DELETE", opened.setPath("canary"))).code).toBe(200);
    await run(opened, [startCanary]);
    expect(await stateOf(opened)).toMatchObject({ replicas: [3, 1], step: "1 1 Replicas" });
    expect(JSON.stringify(await opened.set("canary"))).toContain('"edited"');
    await opened.proxy[Symbol.asyncDispose]();
  });

  test("has all stable replicas until its own are ready, before it is measured, and follows what they are scaled to", async () => {
    const analysis = { interval: "1m", metrics: [{ name: "errors", query: "errors", threshold: 0.1 }] };
    const opened = await openCanary(cluster, undefined, { canaryReplicas: 1, analysis });
    const measuring = { ...fakePorts({ measured: () => good }), cluster: opened.ports.cluster };
    const counts = async () => (await stateOf(opened)).counted;
    await run(opened, [startCanary]);
    expect(await stateOf(opened)).toMatchObject({ replicas: [3, 1], counted: [3, 1] });
    await waitUntilReady(opened);
    const ready = "the canary is ready: 2 replicas stay stable, not 3";
    expect(await analyze(measuring, opened.input)).toMatchObject({ kind: "next", reason: ready });
    await run(opened, [startCanary]);
    expect(await stateOf(opened)).toMatchObject({ replicas: [2, 1], counted: [2, 1] });
    expect(await analyze(measuring, opened.input)).toMatchObject({ kind: "running" });
    for (const [totalReplicas, replicas] of [
      [6, [5, 1]],
      [2, [1, 1]],
    ] as const) {
      await edit(opened, { totalReplicas });
      expect(await analyze(measuring, opened.input)).toMatchObject({ kind: "next" });
      await run(opened, [startCanary]);
      expect(await counts()).toEqual(replicas);
      expect(await analyze(measuring, opened.input)).toMatchObject({ kind: "running" });
    }
    await opened.proxy[Symbol.asyncDispose]();
  });

  test("that is withdrawn has all replicas in its stable set", async () => {
    const opened = await openCanary(cluster, undefined, spec);
    await run(opened, [...toPause, (ports, input) => revert(ports, { ...input, verdict: "withdraw", reason: "late" })]);
    expect(await stateOf(opened)).toMatchObject({ phase: "Initializing", replicas: [3, 0], step: undefined });
    await opened.proxy[Symbol.asyncDispose]();
  });

  test.for([
    { when: "before the server stores it", isWritten: false },
    { when: "after the server stores it", isWritten: true },
  ])("if any write is interrupted $when, the repeated step has the same result", async ({ isWritten }) => {
    const end = async (cut?: InterruptedWrite) => {
      const opened = await openCanary(cluster, cut, spec);
      await run(opened, toPause);
      await opened.proxy[Symbol.asyncDispose]();
      return { writes: opened.writes(), state: await stateOf(opened) };
    };
    const { writes } = await end();
    expect(writes).toBeGreaterThan(10);
    for (let cut = 1; cut <= writes; cut += 1) {
      expect((await end({ cut, isWritten })).state, `write ${cut}`).toEqual(paused);
    }
  });
});
