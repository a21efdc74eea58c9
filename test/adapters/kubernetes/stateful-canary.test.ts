import { afterAll, describe, expect, test } from "vitest";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { recordSuccess } from "../../../functions/handlers/record-success.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { canaryCluster, type Cut, first, openCanary, type Step, target } from "./stateful-canary-bench.ts";

const cluster = await canaryCluster();
afterAll(() => cluster.close());

const giveUp: Step = (ports, input) => rollBack(ports, { ...input, verdict: "expired", reason: "not ready in time" });

const ways = {
  promoted: {
    steps: [startCanary, applyUpdate, recordSuccess],
    outcome: { phase: "Succeeded", stable: { image: target, replicas: 3 }, history: ["1.1.0 Healthy"] },
  },
  "given up as a canary": {
    steps: [startCanary, giveUp],
    outcome: { phase: "Failed", stable: { image: first, replicas: 2 }, history: ["1.1.0 RolledBack"] },
  },
  "given up after its promotion": {
    steps: [startCanary, applyUpdate, giveUp],
    outcome: { phase: "Failed", stable: { image: first, replicas: 3 }, history: ["1.1.0 RolledBack"] },
  },
} as const;

type Way = keyof typeof ways;
const wayNames = Object.keys(ways) as readonly Way[];

/** Takes each step until it goes through, and says what is there then. */
async function go(way: Way, cut?: Cut) {
  const opened = await openCanary(cluster, cut);
  let taken = 0;
  for (const step of ways[way].steps) {
    const take = () => step(opened.ports, opened.input).finally(() => (taken += 1));
    await take().catch(take);
  }
  await opened.proxy[Symbol.asyncDispose]();
  return { ...opened, taken, seen: await look(opened) };
}

async function look(opened: Awaited<ReturnType<typeof openCanary>>) {
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

function expected(way: Way) {
  return { ...ways[way].outcome, canary: { image: target, replicas: 0 }, left: [], observedGeneration: 1 };
}

describe.for(wayNames)("%s", (way) => {
  test("with nothing in between", async () => {
    const { seen, taken } = await go(way);
    expect({ seen, taken }).toEqual({ seen: expected(way), taken: ways[way].steps.length });
  });

  test.for([
    { when: "before it is written", isWritten: false },
    { when: "when it is written, without an answer", isWritten: true },
  ])("whichever write breaks off $when, the step repeated comes to the same", async ({ isWritten }) => {
    const undisturbed = await go(way);
    const writes = undisturbed.writes();
    expect(writes).toBeGreaterThan(7);
    for (let cut = 1; cut <= writes; cut += 1) {
      const { seen, taken } = await go(way, { cut, isWritten });
      expect({ cut, seen, taken }).toEqual({ cut, seen: expected(way), taken: ways[way].steps.length + 1 });
    }
  });
});

test("both sets have an owner, labels and selectors of their own, and keep their volumes", async () => {
  const { set } = await go("promoted").then((opened) => ({ set: opened.set.bind(opened) }));
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
  { when: "its canary stands", steps: [startCanary] },
  { when: "it is promoted", steps: [startCanary, applyUpdate] },
])("deleted while $when, it stays until the next step has cleared up", async ({ steps }) => {
  const { bench, ports, input, path, setPath } = await openCanary(cluster);
  for (const step of steps) await (step as Step)(ports, input);
  await bench.request("DELETE", path);
  expect((await bench.request("GET", path)).code).toBe(200);
  expect(await giveUp(ports, input)).toMatchObject({ kind: "superseded" });
  for (const gone of [path, setPath("stable"), setPath("canary")]) {
    expect((await bench.request("GET", gone)).code).toBe(404);
  }
});

test("a canary that another execution takes over is left as it stands", async () => {
  const opened = await openCanary(cluster);
  await startCanary(opened.ports, opened.input);
  const before = await opened.set("canary");
  expect(await adoptUpdate(opened.ports, { ...opened.input, execution: "e-2" })).toMatchObject({ kind: "canary" });
  expect(await opened.set("canary")).toEqual(before);
  expect((await opened.object()).status?.currentPhase).toBe("Progressing");
});

test("without canary replicas all of them follow at once, and go back where they do not become ready", async () => {
  const opened = await openCanary(cluster);
  await opened.bench.request("PATCH", opened.path, {
    body: { spec: { canaryReplicas: 0 } },
    contentType: "application/merge-patch+json",
  });
  const input = { ...opened.input, strategy: "rolling" } as const;
  expect(await applyUpdate(opened.ports, input)).toMatchObject({ kind: "applied" });
  const all = { image: target, replicas: 3 };
  const stable = async () => {
    const { spec } = await opened.set("stable");
    return { image: spec.template.spec.containers[0]?.image, replicas: spec.replicas };
  };
  expect(await stable()).toEqual(all);
  expect((await opened.object()).status).toMatchObject({ currentPhase: "Promoting", observedGeneration: 2 });
  await giveUp(opened.ports, input);
  expect(await stable()).toEqual({ ...all, image: first });
  expect((await opened.object()).status).toMatchObject({ currentPhase: "Failed", message: "not ready in time" });
});
