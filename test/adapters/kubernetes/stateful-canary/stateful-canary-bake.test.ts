import { afterAll, describe, expect, test } from "vitest";
import { adoptUpdate } from "../../../../functions/handlers/adopt-update.ts";
import { analyzeRollout } from "../../../../functions/handlers/analyze-rollout.ts";
import { checkReadiness } from "../../../../functions/handlers/check-readiness.ts";
import { recordSuccess } from "../../../../functions/handlers/record-success.ts";
import { startCanary } from "../../../../functions/handlers/start-canary.ts";
import type { Ports } from "../../../../functions/contract/ports.ts";
import type { QueryResult } from "../../../../functions/domain/analysis/query-result.ts";
import { bad, good } from "../../../handlers/canary/canary-steps.ts";
import { revert } from "../../../handlers/steps.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { noon } from "../../../support/workloads.ts";
import { applyWhenReady, first, openCanary, startCanaryCluster, target } from "./stateful-canary-harness.ts";
import { textsOf } from "../../../support/problems.ts";

const cluster = await startCanaryCluster();
afterAll(() => cluster.close());

const analysis = { count: 1, interval: "1m", metrics: [{ name: "errors", query: "errors", threshold: 0.1 }] };
const spec = { canaryReplicas: 1, bakeTime: "10m", analysis };
const started = { executionStartedAt: noon.toISOString() };

const patience = { timeout: 20_000 };

/** Opens a StatefulCanary that was promoted at noon. All its replicas are ready, and its bake time has not begun. */
async function openPromoted(measured: () => QueryResult) {
  const opened = await openCanary(cluster, undefined, spec);
  const clock = fakePorts({ measured });
  const ports: Ports = { ...clock, cluster: opened.ports.cluster };
  const { input } = opened;
  await startCanary(ports, input);
  expect((await applyWhenReady(ports, input)).kind).toBe("applied");
  await expect.poll(async () => (await checkReadiness(ports, { ...input, ...started })).kind, patience).toBe("bake");
  return {
    opened,
    ports,
    input,
    bake: (execution = input.execution) => analyzeRollout(ports, { ...input, execution, ...started }),
    pass: (seconds: number) => clock.pass(seconds),
    claim: async () => (await ports.cluster.read(input.workload))?.inFlight,
  };
}

describe("a StatefulCanary with a bake time", () => {
  test("is measured until its end, also if its execution is lost, and recorded", async () => {
    const { opened, ports, input, bake, pass, claim } = await openPromoted(() => good);
    expect(await bake()).toMatchObject({ kind: "running", waitSeconds: 60 });
    expect((await opened.object()).status).toMatchObject({
      currentPhase: "Promoting",
      bakingSince: "2026-11-20T12:00:00Z",
      message: "all replicas are ready, and watched for the bake time: errors = 0.002: pass",
    });
    expect(await claim()).toMatchObject({ phase: "rollout", observation: { kind: "baking", since: noon } });
    pass(540);
    const execution = "e-2";
    expect(await adoptUpdate(ports, { ...input, adopting: true, execution })).toMatchObject({ kind: "adopted" });
    expect(await bake(execution)).toMatchObject({ kind: "running" });
    expect((await opened.set("canary")).spec.replicas).toBe(1);
    pass(60);
    expect(await bake(execution)).toMatchObject({ kind: "pass" });
    await recordSuccess(ports, { ...input, execution });
    expect((await opened.object()).status).toMatchObject({ currentPhase: "Succeeded", canaryReplicas: 0 });
    expect((await opened.object()).status).not.toHaveProperty("bakingSince");
    expect((await opened.set("canary")).spec.replicas).toBe(0);
    await opened.proxy[Symbol.asyncDispose]();
  });

  test("gets its previous pod template back if a metric fails in it", async () => {
    const { opened, ports, input, bake } = await openPromoted(() => bad);
    const { kind, reason } = await bake();
    expect({ kind, reason }).toEqual({ kind: "fail", reason: expect.stringContaining("errors: 1 failures") });
    expect((await opened.set("stable")).spec.template.spec.containers[0]?.image).toBe(target);
    await revert(ports, { ...input, verdict: kind, reason });
    expect((await opened.set("stable")).spec.template.spec.containers[0]?.image).toBe(first);
    expect((await opened.object()).status).toMatchObject({ currentPhase: "Failed", message: reason });
    expect((await opened.object()).status).not.toHaveProperty("bakingSince");
    await opened.proxy[Symbol.asyncDispose]();
  });

  test("does not take the begin of an earlier bake time for its own", async () => {
    const { opened, claim } = await openPromoted(() => good);
    const body = { status: { bakingSince: "2026-11-20T11:59:59Z" } };
    const contentType = "application/merge-patch+json";
    expect((await opened.harness.request("PATCH", `${opened.path}/status`, { body, contentType })).code).toBe(200);
    expect(await claim()).not.toHaveProperty("observation");
    await opened.proxy[Symbol.asyncDispose]();
  });

  test("reports one that cannot be parsed", async () => {
    const opened = await openCanary(cluster, undefined, { ...spec, bakeTime: "soon" });
    const { problems } = (await opened.ports.cluster.read(opened.input.workload)) ?? {};
    expect(textsOf(problems ?? [])).toEqual([expect.stringMatching(/^spec.bakeTime "soon": /)]);
    await opened.proxy[Symbol.asyncDispose]();
  });
});
