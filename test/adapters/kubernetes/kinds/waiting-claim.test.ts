import { expect, onTestFinished, test } from "vitest";
import { createKubernetesCluster } from "../../../../functions/adapters/kubernetes/cluster.ts";
import type { Ports } from "../../../../functions/contract/ports.ts";
import type { TaskInput, TimedStepResult } from "../../../../functions/contract/workload-update.ts";
import { startAnalysis } from "../../../../functions/domain/analysis/measure.ts";
import { recordCanary } from "../../../../functions/domain/workload/canary/record.ts";
import type { Change } from "../../../../functions/domain/workload/update/change.ts";
import { recordRollback } from "../../../../functions/domain/workload/rollback/rollback.ts";
import { recordStart } from "../../../../functions/domain/workload/record/update-record.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { analyzeCanary } from "../../../../functions/handlers/analyze-canary.ts";
import { checkCanary } from "../../../../functions/handlers/check-canary.ts";
import { checkReadiness } from "../../../../functions/handlers/check-readiness.ts";
import { checkRollback } from "../../../../functions/handlers/check-rollback.ts";
import type { Cluster } from "../../../../functions/ports/cluster.ts";
import { collectionOf, manifest, before as previous } from "../../../contracts/cluster-fixtures.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { after, noon, imageTarget } from "../../../support/workloads.ts";
import { checkStep } from "../../../handlers/canary/canary-steps.ts";
import { startCluster } from "../embedded-cluster.ts";

/** Neither becomes ready. */
const before = `${previous}-bad`;
const image = `${before}-bad`;
const slow = { "pawl.dev/health-timeout": "24h" };
const invalid = { "pawl.dev/schedule": "nonsense" };

/** Starts a cluster with one Deployment of two replicas, and two installations of Pawl with one clock. */
async function startInstallations(spec: object) {
  const clock = { minutes: 0 };
  const now = () => after(clock.minutes);
  const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "app", image: before }] } };
  const web = manifest("Deployment", { name: "web", spec: { replicas: 2, template, ...spec } });
  const objects = [{ ...web, metadata: { ...web.metadata, namespace: "shop" } }];
  const { kubeConfig, url, close } = await startCluster({ objects });
  onTestFinished(close);
  const install = (id: string) =>
    createKubernetesCluster({
      name: id,
      kubeConfig,
      namespaces: null,
      now,
      holder: { id, isLost: () => false },
      warn: () => {},
    });
  const annotate = async (annotations: object) => {
    const headers = { "content-type": "application/merge-patch+json" };
    const body = JSON.stringify({ metadata: { annotations } });
    const { ok } = await fetch(`${url}${collectionOf("Deployment", "shop")}/web`, { method: "PATCH", headers, body });
    expect(ok).toBe(true);
  };
  return { clock, now, annotate, first: install("first"), second: install("second") };
}

async function readOnly(cluster: Cluster): Promise<Workload> {
  for await (const workload of cluster.list(() => {})) return workload;
  throw new Error("no workload is listed");
}

type Check = (ports: Ports, input: TaskInput<"CheckRollback">) => Promise<TimedStepResult<string>>;
type Write = (workload: Workload) => Change;

const start: Write = (workload) => recordStart(workload, { target: imageTarget(image), digests: null }, "e-1", noon);
const canary: Write = (workload) =>
  recordCanary(workload, { target: imageTarget(image), digests: null }, "e-1", { unit: "replicas", amount: 1 }, noon);
const analyze: Write = () => ({ analysis: startAnalysis(noon) });
const rollBack: Write = (workload) => {
  if (workload.inFlight === null) throw new Error("no update is in flight");
  // No pod exists here: all were available before.
  return recordRollback(workload, { ...workload.inFlight, unavailableBefore: 0 }, "not ready", noon);
};
const toCanary = { "pawl.dev/canary": "1" };

test.for<{ state: string; when: string; check: Check; writes: readonly Write[]; edit: object; spec?: object }>([
  { state: "CheckReadiness", when: "paused", check: checkReadiness, writes: [start], edit: {}, spec: { paused: true } },
  { state: "CheckReadiness", when: "given more time", check: checkReadiness, writes: [start], edit: slow },
  { state: "CheckCanary", when: "not judged", check: checkCanary, writes: [canary], edit: { ...toCanary, ...invalid } },
  {
    state: "CheckCanary",
    when: "given more time",
    check: checkCanary,
    writes: [canary],
    edit: { ...toCanary, ...slow },
  },
  {
    state: "AnalyzeCanary",
    when: "not judged",
    check: analyzeCanary,
    writes: [canary, analyze],
    edit: { ...toCanary, ...invalid },
  },
  {
    state: "AnalyzeCanary",
    when: "given more time",
    check: analyzeCanary,
    writes: [canary, analyze],
    edit: { ...toCanary, ...slow },
  },
  { state: "CheckRollback", when: "given more time", check: checkRollback, writes: [start, rollBack], edit: slow },
])("$state keeps the claim of an update that is $when for hours, with few writes", async (one) => {
  const { clock, now, annotate, first, second } = await startInstallations(one.spec ?? {});
  for (const write of [() => ({}), ...one.writes])
    await first.change(await readOnly(first), write(await readOnly(first)));
  await annotate(one.edit);
  const { ref } = await readOnly(first);
  const input = { ...checkStep, workload: ref, target: imageTarget(image), reason: "not ready" };
  const versions = new Set<string | null>();
  for (let wait = 0; clock.minutes <= 4 * 60; clock.minutes += Math.max(5, wait / 60)) {
    const late = await readOnly(second);
    expect({ minutes: clock.minutes, until: late.record.claimedElsewhereUntil }).not.toMatchObject({ until: null });
    const result = await one.check({ ...fakePorts({}), cluster: first, now }, input);
    expect(result.kind).toMatch(/^(?:progressing|running|parked)$/);
    wait = result.kind === "parked" ? result.waitSeconds : 0;
    const { record } = await readOnly(second);
    expect({ minutes: clock.minutes, until: record.claimedElsewhereUntil }).not.toMatchObject({ until: null });
    versions.add(record.resourceVersion);
  }
  expect(versions.size).toBeLessThanOrEqual(4 * 4 + 1);
});
