import { describe, expect, test } from "vitest";
import type { Evidence } from "../../../functions/domain/health/evidence.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { step } from "../../handlers/steps.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import {
  after,
  completeRollout,
  image,
  imageTarget,
  inFlight,
  target,
  updatingWorkload,
  type WorkloadParts,
} from "../../support/workloads.ts";

const app = "registry.example/shop/app";
const rollout = { ...completeRollout, image: target, readyReplicas: 0, template: "t-1" };
const failing = { ...inFlight, failing: "2 of 2 pods failing" };
const crashing: Evidence = {
  pod: "app-1",
  cause: { blames: "version", reason: "Exit", container: "app", exitCode: 1, message: "", restarts: 4 },
};

function portsOf(parts: WorkloadParts, tags: readonly string[] | Error, evidence: readonly Evidence[] = [crashing]) {
  const initial = updatingWorkload({ inFlight: failing, rollout, ...parts });
  return fakePorts({
    workloads: [initial],
    tags: { "shop/app": tags },
    now: after(3),
    evidence,
    broken: new Set([target]),
  });
}

describe("a poll starts a newer version in place of one whose pods fail", () => {
  const newer = ["1.0.0", "1.1.0", "1.2.0"];
  test.for<{ when: string; parts?: WorkloadParts; tags?: readonly string[] | Error; started: readonly string[] }>([
    { when: "there is one", started: ["1.2.0"] },
    { when: "there is none", tags: ["1.0.0", "1.1.0"], started: [] },
    { when: "it is older", tags: ["1.0.0", "1.0.5", "1.1.0"], started: [] },
    { when: "its pods do not fail yet", parts: { inFlight }, started: [] },
    { when: "the registry does not answer", tags: new Error("down"), started: [] },
    { when: "the policy excludes it", parts: { policy: { versionConstraint: "~1.1" } }, started: [] },
    { when: "updates are paused", parts: { policy: { paused: true } }, started: [] },
    { when: "it has failed before", parts: { updateRecord: { failedVersions: ["1.2.0"] } }, started: [] },
    {
      when: "its schedule is not due",
      parts: { policy: { schedule: "0 3 * * *" }, updateRecord: { lastCheck: after(0) } },
      started: [],
    },
    { when: "one more failure opens the circuit", parts: { updateRecord: { rollbackCount: 2 } }, started: [] },
    {
      when: "an older one failed, and a newer one too",
      parts: { updateRecord: { failedVersions: ["1.3.0"] } },
      started: [],
    },
  ])("if $when: $started", async ({ parts = {}, tags = newer, started }) => {
    const ports = portsOf(parts, tags);
    await ports.executions.start("e-1", {} as never);
    await pollCluster(ports);
    const targets = ports.executions.started.slice(1).map(({ input }) => input.target.image.split(":").at(-1));
    expect(targets).toEqual(started);
    expect(ports.cluster.get()).toMatchObject({ inFlight: { execution: "e-1" }, backOff: null });
  });

  test("an execution of it that ended backs off, and the update in flight goes its way", async () => {
    const ports = portsOf({}, newer);
    await ports.executions.start("e-1", {} as never);
    await pollCluster(ports);
    ports.executions.finish(ports.executions.started[1]?.name ?? "");
    await pollCluster(ports);
    const { backOff, inFlight: left } = ports.cluster.get();
    expect(backOff).toMatchObject({ target: imageTarget(`${app}:1.2.0`), reason: "Interrupted", execution: null });
    expect(left).toMatchObject({ execution: "e-1", failing: "2 of 2 pods failing" });
    ports.executions.finish("e-1");
    await pollCluster(ports);
    expect(ports.executions.started.at(-1)?.input).toMatchObject({ adopting: true, target: { image: target } });
  });
});

describe("the step that applies it", () => {
  const input = { ...step, target: imageTarget(`${app}:1.2.0`), execution: "e-2" };

  test("supersedes once, and ends the other execution", async () => {
    const ports = portsOf({}, []);
    expect(await applyUpdate(ports, input)).toMatchObject({ kind: "applied" });
    expect(await applyUpdate(ports, input)).toMatchObject({ kind: "applied" });
    const { updateRecord, inFlight: claim, image: runs } = ports.cluster.get();
    expect({ runs, claim }).toMatchObject({ runs: `${app}:1.2.0`, claim: { execution: "e-2", previousImage: image } });
    expect(updateRecord).toMatchObject({
      rollbackCount: 1,
      versionHistory: [{ version: "1.1.0", status: "Superseded" }],
    });
    expect(await checkReadiness(ports, { ...step, executionStartedAt: after(0).toISOString() })).toMatchObject({
      kind: "superseded",
    });
    expect(ports.published.map(({ type }) => type)).toContain("Update Superseded");
  });

  test.for<{ when: string; parts?: WorkloadParts; evidence?: readonly Evidence[]; own?: object }>([
    { when: "its pods are ready by now", evidence: [] },
    { when: "it is to adopt", own: { adopting: true } },
    { when: "its strategy is another one by now", own: { strategy: "canary" } },
    { when: "its target is a restart", own: { target: { kind: "digest", image: target, digest: "sha256:00" } } },
    { when: "the version is not allowed any more", parts: { policy: { versionConstraint: "~1.1" } } },
  ])("writes nothing if $when", async ({ parts = {}, evidence, own = {} }) => {
    const ports = portsOf(parts, [], evidence);
    expect(await applyUpdate(ports, { ...input, ...own })).toMatchObject({ kind: "superseded" });
    expect(ports.cluster.get().inFlight).toEqual(failing);
  });
});

test.for([
  {
    when: "pods crash",
    parts: { inFlight },
    evidence: [crashing],
    failing: /^\d+ of \d+ pods? failing: app-1 \(app\) exit 1|1 of \d+ pods failing/,
  },
  { when: "none does any more", parts: {}, evidence: [], failing: /^none$/ },
])("a check notes that $when", async ({ parts, evidence, failing: expected }) => {
  const ports = portsOf({ ...parts }, [], evidence);
  const result = await checkReadiness(ports, { ...step, executionStartedAt: after(0).toISOString() });
  expect(result.kind).toBe("progressing");
  const { inFlight: noted } = ports.cluster.get();
  expect(noted?.failing ?? "none").toMatch(expected);
});
