import { afterAll, describe, expect, test } from "vitest";
import { adoptUpdate } from "../../../../functions/handlers/adopt-update.ts";
import { recordSuccess } from "../../../../functions/handlers/record-success.ts";
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

const rollBackExpired: Step = (ports, input) =>
  revert(ports, { ...input, verdict: "expired", reason: "not ready in time" });

const withdraw: Step = (ports, input) => revert(ports, { ...input, verdict: "withdraw", reason: "no data" });

const sequences = {
  promoted: {
    steps: [startCanary, applyWhenReady, recordSuccess],
    outcome: { phase: "Succeeded", stable: { image: target, replicas: 3 }, history: ["1.1.0 Healthy"] },
  },
  "rolled back as a canary": {
    steps: [startCanary, rollBackExpired],
    outcome: { phase: "Failed", stable: { image: first, replicas: 3 }, history: ["1.1.0 RolledBack"] },
  },
  withdrawn: {
    steps: [startCanary, withdraw],
    outcome: { phase: "Initializing", stable: { image: first, replicas: 3 }, history: ["1.1.0 Withdrawn"] },
  },
  "rolled back after its promotion": {
    steps: [startCanary, applyWhenReady, rollBackExpired],
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
  expect(await rollBackExpired(ports, input)).toMatchObject({ kind: "superseded" });
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
  await rollBackExpired(opened.ports, input);
  expect(await stable()).toEqual({ ...all, image: first });
  expect((await opened.object()).status).toMatchObject({ currentPhase: "Failed", message: "not ready in time" });
});
