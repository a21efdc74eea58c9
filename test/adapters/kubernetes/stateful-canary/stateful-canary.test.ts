import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { missingCondition } from "../../../../functions/domain/workload/update/readiness.ts";
import { adoptUpdate } from "../../../../functions/handlers/adopt-update.ts";
import { recordSuccess } from "../../../../functions/handlers/record-success.ts";
import { rollBack } from "../../../../functions/handlers/roll-back.ts";
import { startCanary } from "../../../../functions/handlers/start-canary.ts";
import { revert } from "../../../handlers/steps.ts";
import {
  applyWhenReady,
  startCanaryCluster,
  type InterruptedWrite,
  first,
  openCanary,
  type Step,
  target,
} from "./stateful-canary-harness.ts";

const cluster = await startCanaryCluster();
afterAll(() => cluster.close());

/** The restored pods become ready by themselves, and stay so. */
const rollBackFailed: Step = async (ports, input) => {
  const failed = { ...input, verdict: "fail", reason: "its pods failed" };
  await rollBack(ports, failed);
  for (;;) {
    const workload = await ports.cluster.read(input.workload);
    if (workload?.inFlight?.suspect === undefined || missingCondition(workload.rollout, first) === null) break;
    await sleep(20);
  }
  return revert(ports, failed);
};

const withdraw: Step = (ports, input) => revert(ports, { ...input, verdict: "withdraw", reason: "no data" });

const sequences = {
  promoted: {
    steps: [startCanary, applyWhenReady, recordSuccess],
    outcome: { phase: "Succeeded", stable: { image: target, replicas: 3 }, history: ["1.1.0 Healthy"] },
  },
  "rolled back as a canary": {
    steps: [startCanary, rollBackFailed],
    outcome: { phase: "Failed", stable: { image: first, replicas: 3 }, history: ["1.1.0 RolledBack"] },
  },
  withdrawn: {
    steps: [startCanary, withdraw],
    outcome: { phase: "Initializing", stable: { image: first, replicas: 3 }, history: ["1.1.0 Withdrawn"] },
  },
  "rolled back after its promotion": {
    steps: [startCanary, applyWhenReady, rollBackFailed],
    outcome: { phase: "Failed", stable: { image: first, replicas: 3 }, history: ["1.1.0 RolledBack"] },
  },
} as const;

type Sequence = keyof typeof sequences;
const sequenceNames = Object.keys(sequences) as readonly Sequence[];

/** Runs each step, once more if it fails, and returns the resulting state. */
async function runSequence(sequence: Sequence, cut?: InterruptedWrite) {
  const opened = await openCanary(cluster, cut);
  let attempts = 0;
  for (const step of sequences[sequence].steps) {
    const attempt = () => step(opened.ports, opened.input).finally(() => (attempts += 1));
    await attempt().catch(attempt);
  }
  await opened.proxy[Symbol.asyncDispose]();
  return { ...opened, attempts, state: await readState(opened) };
}

async function readState(opened: Awaited<ReturnType<typeof openCanary>>) {
  const { metadata, status } = await opened.object();
  const [stable, canary] = await Promise.all([opened.set("stable"), opened.set("canary")]);
  const sizeOf = ({ spec }: typeof stable) => ({
    image: spec.template.spec.containers[0]?.image,
    replicas: spec.replicas,
  });
  return {
    phase: status?.currentPhase,
    stable: sizeOf(stable),
    canary: sizeOf(canary),
    history: status?.autoUpdate?.versionHistory?.map(({ version, status: end }) => `${version} ${end}`),
    observedGeneration: status?.observedGeneration,
    left: [...(metadata.finalizers ?? []), ...Object.keys(metadata.annotations ?? {})],
  };
}

function expected(sequence: Sequence) {
  return { ...sequences[sequence].outcome, canary: { image: target, replicas: 0 }, left: [], observedGeneration: 1 };
}

describe.for(sequenceNames)("%s", (sequence) => {
  test("without an interruption", async () => {
    const { state, attempts } = await runSequence(sequence);
    expect({ state, attempts }).toEqual({ state: expected(sequence), attempts: sequences[sequence].steps.length });
  });

  test.for([
    { when: "before the server stores it", isWritten: false },
    { when: "after the server stores it", isWritten: true },
  ])("if any write is interrupted $when, the repeated step has the same result", async ({ isWritten }) => {
    const uninterrupted = await runSequence(sequence);
    const writes = uninterrupted.writes();
    expect(writes).toBeGreaterThan(7);
    for (let cut = 1; cut <= writes; cut += 1) {
      const { state, attempts } = await runSequence(sequence, { cut, isWritten });
      expect({ cut, state, attempts }).toEqual({
        cut,
        state: expected(sequence),
        attempts: sequences[sequence].steps.length + 1,
      });
    }
  });
});

test("an image with a digest beside its tag keeps both", async () => {
  const pinned = `${target}@sha256:${"a".repeat(64)}`;
  const opened = await openCanary(cluster, undefined, { canaryReplicas: 1, canaryImage: pinned });
  const input = { ...opened.input, target: { kind: "image", image: pinned } } as const;
  for (const step of sequences.promoted.steps) await step(opened.ports, input);
  await opened.proxy[Symbol.asyncDispose]();
  const stable = { image: pinned, replicas: 3 };
  expect(await readState(opened)).toMatchObject({ phase: "Succeeded", stable, canary: { image: pinned, replicas: 0 } });
});

test("both sets have an owner, their own labels and selectors, and keep their volumes", async () => {
  const { set } = await runSequence("promoted").then((opened) => ({ set: opened.set.bind(opened) }));
  for (const role of ["stable", "canary"]) {
    const labels = { "app.kubernetes.io/name": "db", "app.kubernetes.io/role": role };
    const found = await set(role);
    expect(found).toMatchObject({
      metadata: { labels, ownerReferences: [{ kind: "StatefulCanary", name: "db", controller: true }] },
      spec: {
        serviceName: "db",
        selector: { matchLabels: labels },
        template: {
          metadata: { labels: { app: "db", ...labels } },
          spec: { containers: [{ name: "db", image: target }, { name: "sidecar" }] },
        },
        volumeClaimTemplates: [{ metadata: { name: "data" } }],
      },
    });
    expect(found.spec).not.toHaveProperty("persistentVolumeClaimRetentionPolicy");
    expect(found.metadata.annotations).toBeUndefined();
  }
});

test.for([
  { when: "its canary runs", steps: [startCanary] },
  { when: "it is promoted", steps: [startCanary, applyWhenReady] },
])("deleted while $when, it is kept until the next step has cleaned up", async ({ steps }) => {
  const { harness, ports, input, path, setPath } = await openCanary(cluster);
  for (const step of steps) await (step as Step)(ports, input);
  await harness.request("DELETE", path);
  expect((await harness.request("GET", path)).code).toBe(200);
  expect(await rollBackFailed(ports, input)).toMatchObject({ kind: "superseded" });
  for (const deleted of [path, setPath("stable"), setPath("canary")]) {
    expect((await harness.request("GET", deleted)).code).toBe(404);
  }
});

test("a canary that another execution adopts is not changed", async () => {
  const opened = await openCanary(cluster);
  await startCanary(opened.ports, opened.input);
  const before = await opened.set("canary");
  expect(await adoptUpdate(opened.ports, { ...opened.input, execution: "e-2" })).toMatchObject({ kind: "canary" });
  expect(await opened.set("canary")).toEqual(before);
  expect((await opened.object()).status?.currentPhase).toBe("Progressing");
});

test("without canary replicas all replicas are updated immediately, and reverted if they do not become ready", async () => {
  const opened = await openCanary(cluster);
  await opened.harness.request("PATCH", opened.path, {
    body: { spec: { canaryReplicas: 0 } },
    contentType: "application/merge-patch+json",
  });
  const input = { ...opened.input, strategy: "rolling" } as const;
  expect(await applyWhenReady(opened.ports, input)).toMatchObject({ kind: "applied" });
  const all = { image: target, replicas: 3 };
  const stable = async () => {
    const { spec } = await opened.set("stable");
    return { image: spec.template.spec.containers[0]?.image, replicas: spec.replicas };
  };
  expect(await stable()).toEqual(all);
  expect((await opened.object()).status).toMatchObject({ currentPhase: "Promoting", observedGeneration: 2 });
  await rollBackFailed(opened.ports, input);
  expect(await stable()).toEqual({ ...all, image: first });
  expect((await opened.object()).status).toMatchObject({ currentPhase: "Failed", message: "its pods failed" });
});

/** Promotes, and reverts the promotion. */
async function suspect() {
  const opened = await openCanary(cluster);
  const { ports, input } = opened;
  for (const step of [startCanary, applyWhenReady] as readonly Step[]) await step(ports, input);
  const failed = { ...input, verdict: "fail", reason: "its pods failed" };
  expect(await rollBack(ports, failed)).toMatchObject({ kind: "reverting" });
  const read = () => ports.cluster.read(input.workload);
  return { ...opened, failed, read };
}

test("a promotion whose pods failed is suspected until the restored version has shown whether it is healthy", async () => {
  const { object, read } = await suspect();
  const { status } = await object();
  expect(status).toMatchObject({ currentPhase: "Promoting", message: "its pods failed", stableReplicas: 3 });
  const startedAt = expect.any(Date) as Date;
  const suspected = { reason: "its pods failed", execution: "e-1", wasReady: true };
  expect(await read()).toMatchObject({ inFlight: { phase: "rollback", startedAt, suspect: suspected } });
  expect(status?.suspect).toMatchObject({ ...suspected, startedAt: expect.any(String) });
});

test("if the restored version is not in place any more, it is withdrawn, and tried again", async () => {
  const { ports, input, failed, harness, setPath, ...opened } = await suspect();
  const { object } = opened;
  const { spec } = await opened.set.call({ ...opened, setPath }, "stable");
  const { template } = spec;
  const containers = template.spec.containers.map((one) => ({ ...one, image: "registry.invalid/shop/db:0.9.0" }));
  const body = { spec: { template: { ...template, spec: { ...template.spec, containers } } } };
  await harness.request("PATCH", setPath("stable"), { body, contentType: "application/merge-patch+json" });
  await revert(ports, failed);
  const { status, metadata } = await object();
  expect(status).toMatchObject({ currentPhase: "Initializing", autoUpdate: { rollbackCount: 1 } });
  expect(status?.autoUpdate?.versionHistory).toMatchObject([{ version: "1.1.0", status: "Withdrawn" }]);
  expect(status?.autoUpdate?.failedVersions ?? []).toEqual([]);
  expect(status).not.toHaveProperty("suspect");
  expect(metadata.annotations ?? {}).toEqual({});
  expect(await ports.cluster.read(input.workload)).toMatchObject({ inFlight: null, backOff: { attempts: 1 } });
});

test("deleted in the middle of it, it waits for no verdict", async () => {
  const { harness, path, read } = await suspect();
  await harness.request("DELETE", path);
  expect((await read())?.inFlight).not.toHaveProperty("suspect");
});

test("what was unavailable before it is known until it ends", async () => {
  const { ports, input, object } = await openCanary(cluster);
  await startCanary(ports, input);
  const read = () => ports.cluster.read(input.workload);
  const workload = (await read()) as Workload;
  const inFlight = workload.inFlight as InFlight;
  const canary = { image: target, size: { unit: "replicas", amount: 1 } } as const;
  await ports.cluster.change(workload, { inFlight: { ...inFlight, unavailableBefore: 3 }, canary });
  expect((await read())?.inFlight).toMatchObject({ unavailableBefore: 3 });
  const failed = { ...input, verdict: "fail", reason: "its pods failed" };
  expect(await revert(ports, failed)).toMatchObject({ kind: "withdrawn" });
  const message = "its pods failed; 1.0.0 was not available before the update either";
  expect((await object()).status).toMatchObject({ currentPhase: "Initializing", message });
  expect((await object()).status).not.toHaveProperty("unavailableBefore");
});
