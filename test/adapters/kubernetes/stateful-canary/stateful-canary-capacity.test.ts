import { afterAll, describe, expect, test } from "vitest";
import { checkRollback } from "../../../../functions/handlers/check-rollback.ts";
import { recordSuccess } from "../../../../functions/handlers/record-success.ts";
import { rollBack } from "../../../../functions/handlers/roll-back.ts";
import { startCanary } from "../../../../functions/handlers/start-canary.ts";
import { applyWhenReady, first, openCanary, startCanaryCluster, target } from "./stateful-canary-harness.ts";
import { textsOf } from "../../../support/problems.ts";
import { imageTarget } from "../../../support/workloads.ts";

const cluster = await startCanaryCluster();
afterAll(() => cluster.close());

type Opened = Awaited<ReturnType<typeof openCanary>>;

async function open(spec: object, metadata: object = {}): Promise<Opened> {
  const opened = await openCanary(cluster);
  await patch(opened, { spec, metadata });
  return opened;
}

async function patch({ harness, path }: Opened, body: object): Promise<void> {
  await harness.request("PATCH", path, { body, contentType: "application/merge-patch+json" });
}

async function readSets(opened: Opened) {
  const sizeOf = async (role: string) => {
    const { spec } = await opened.set(role);
    return `${spec.replicas} of ${spec.template.spec.containers[0]?.image}`;
  };
  return { stable: await sizeOf("stable"), canary: await sizeOf("canary") };
}

const checkInput = ({ input, ports }: Opened) => ({
  ...input,
  reason: "",
  executionStartedAt: ports.now().toISOString(),
});

const failed = { verdict: "expired", reason: "not ready in time" };

describe("if all replicas are canary, one stays stable, and the stable set is complete again before the canary is scaled down", () => {
  test("after a failure", async () => {
    const opened = await open({ totalReplicas: 1, canaryReplicas: 1 });
    const { ports, input } = opened;
    await startCanary(ports, input);
    expect(await readSets(opened)).toEqual({ stable: `1 of ${first}`, canary: `1 of ${target}` });
    await rollBack(ports, { ...input, ...failed });
    expect(await readSets(opened)).toEqual({ stable: `1 of ${first}`, canary: `1 of ${target}` });
    expect((await opened.object()).status).toMatchObject({ currentPhase: "Failed", stableReplicas: 1 });
    await expect.poll(() => checkRollback(ports, checkInput(opened))).toMatchObject({ kind: "rolled-back" });
    expect(await readSets(opened)).toEqual({ stable: `1 of ${first}`, canary: `0 of ${target}` });
    expect((await opened.object()).status).toMatchObject({ stableReplicas: 1, canaryReplicas: 0 });
  });

  test("after a failure, unless that takes longer than the health timeout", async () => {
    const broken = `${first}-bad`;
    const opened = await open({ template: { template: { spec: { containers: [{ name: "db", image: broken }] } } } });
    const { ports, input } = opened;
    await startCanary(ports, input);
    await rollBack(ports, { ...input, ...failed });
    expect(await checkRollback(ports, checkInput(opened))).toMatchObject({ kind: "progressing" });
    expect(await readSets(opened)).toEqual({ stable: `3 of ${broken}`, canary: `1 of ${target}` });
    const later = { ...ports, now: () => new Date(ports.now().getTime() + 601_000) };
    expect(await checkRollback(later, checkInput(opened))).toMatchObject({
      kind: "rolled-back",
      reason: expect.stringContaining("1.0.0-bad was not ready 600 s later"),
    });
    expect(await readSets(opened)).toEqual({ stable: `3 of ${broken}`, canary: `0 of ${target}` });
  });

  test("after its promotion", async () => {
    const opened = await open({ totalReplicas: 1, canaryReplicas: 1 });
    const { ports, input } = opened;
    await startCanary(ports, input);
    expect(await applyWhenReady(ports, input)).toMatchObject({ kind: "applied" });
    expect(await readSets(opened)).toEqual({ stable: `1 of ${target}`, canary: `1 of ${target}` });
    await recordSuccess(ports, input);
    expect(await readSets(opened)).toEqual({ stable: `1 of ${target}`, canary: `0 of ${target}` });
    expect((await opened.object()).status).toMatchObject({ stableReplicas: 1, canaryReplicas: 0 });
  });
});

describe("an edit of the template", () => {
  const template = {
    minReadySeconds: 5,
    revisionHistoryLimit: 2,
    updateStrategy: { rollingUpdate: { maxUnavailable: 2 } },
  };
  const defaults = { revisionHistoryLimit: 10, updateStrategy: { type: "RollingUpdate" } };

  test("of what Kubernetes allows to change applies to the canary, and to the stable set when it is promoted", async () => {
    const opened = await open({});
    const { ports, input } = opened;
    for (const step of [startCanary, applyWhenReady, recordSuccess]) await step(ports, input);
    expect((await opened.set("stable")).spec).toMatchObject(defaults);
    for (const [attempt, wanted] of [
      template,
      { minReadySeconds: null, revisionHistoryLimit: null, updateStrategy: null },
    ].entries()) {
      const expected = attempt === 0 ? template : defaults;
      const next = { ...input, target: imageTarget(`${target}.${attempt}`), execution: `e-${attempt + 2}` };
      await patch(opened, { spec: { canaryImage: next.target.image, template: wanted } });
      const before = await opened.set("stable");
      await startCanary(ports, next);
      expect((await opened.set("canary")).spec).toMatchObject(expected);
      expect((await opened.set("stable")).spec).toEqual(before.spec);
      await applyWhenReady(ports, next);
      expect((await opened.set("stable")).spec).toMatchObject(expected);
      await recordSuccess(ports, next);
    }
    expect((await opened.set("stable")).spec).not.toHaveProperty("minReadySeconds");
    expect((await opened.set("stable")).spec).not.toHaveProperty("updateStrategy.rollingUpdate.maxUnavailable");
  });

  const claim = (storage: string, parts: object = {}) => ({
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...parts },
  });
  test.for([
    { edit: { volumeClaimTemplates: [claim("1024Mi")] }, problem: null },
    { edit: { volumeClaimTemplates: [claim("1073741824")] }, problem: null },
    {
      edit: { volumeClaimTemplates: [claim("2Gi")] },
      problem: "spec.template.volumeClaimTemplates: [data ReadWriteOnce",
    },
    {
      edit: { volumeClaimTemplates: [claim("1G")] },
      problem: "spec.template.volumeClaimTemplates: [data ReadWriteOnce",
    },
    {
      edit: { volumeClaimTemplates: [claim("1Gi", { storageClassName: "fast" })] },
      problem: "ReadWriteOnce fast 1073741824 bytes]",
    },
    { edit: { volumeClaimTemplates: [claim("1Gi", { volumeMode: "Filesystem" })] }, problem: null },
    { edit: { volumeClaimTemplates: [claim("1Gi", { volumeMode: "Block" })] }, problem: "1073741824 bytes Block]" },
    {
      edit: { volumeClaimTemplates: [claim("1Gi", { dataSource: { kind: "PersistentVolumeClaim", name: "seed" } })] },
      problem: 'bytes dataSource {"kind":"PersistentVolumeClaim","name":"seed"}]',
    },
    {
      edit: { volumeClaimTemplates: [{ ...claim("1Gi"), metadata: { name: "data", labels: { b: "1", a: "2" } } }] },
      problem: 'bytes labels {"a":"2","b":"1"}]',
    },
    {
      edit: { volumeClaimTemplates: [{ ...claim("1Gi"), metadata: { name: "data", annotations: { a: "1" } } }] },
      problem: 'bytes annotations {"a":"1"}]',
    },
    { edit: { volumeClaimTemplates: null }, problem: "spec.template.volumeClaimTemplates: [] cannot replace [data" },
    { edit: { serviceName: "db" }, problem: null },
    {
      edit: { serviceName: "other" },
      problem: "spec.template.serviceName: other cannot replace db in StatefulSet db-stable",
    },
    { edit: { podManagementPolicy: "OrderedReady" }, problem: null },
    { edit: { podManagementPolicy: "Parallel" }, problem: "podManagementPolicy: Parallel cannot replace OrderedReady" },
  ])("$edit of what Kubernetes allows nobody to change is reported: $problem", async ({ edit, problem }) => {
    const opened = await open({ template: { volumeClaimTemplates: [claim("1Gi")] } });
    const { ports, input } = opened;
    for (const step of [startCanary, applyWhenReady, recordSuccess]) await step(ports, input);
    await patch(opened, { spec: { canaryImage: `${target}.1`, template: edit } });
    const workload = await ports.cluster.read(input.workload);
    expect(workload?.problems.length).toBe(problem === null ? 0 : 1);
    expect(textsOf(workload?.problems ?? []).join("")).toContain(problem ?? "");
  });
});

test("both sets have the labels of their owner, which policies may require", async () => {
  const opened = await open({}, { labels: { team: "shop", "app.kubernetes.io/role": "none" } });
  await startCanary(opened.ports, opened.input);
  for (const role of ["stable", "canary"]) {
    const labels = { team: "shop", "app.kubernetes.io/name": "db", "app.kubernetes.io/role": role };
    expect((await opened.set(role)).metadata).toMatchObject({ labels });
  }
});
