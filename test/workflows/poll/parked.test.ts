import { describe, expect, test } from "vitest";
import type { Moment } from "../../support/fake-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { beginStep } from "../../../functions/domain/workload/canary/progress.ts";
import { parseCanarySteps } from "../../../functions/domain/workload/canary/steps.ts";
import type { ParkReason } from "../../../functions/domain/workload/update/parked-update.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import {
  after,
  canaryInFlight,
  canaryPods,
  canaryWorkload,
  completeRollout,
  image,
  imageTarget,
  inFlight,
  noon,
  policy,
  target,
  updatingWorkload,
  type WorkloadParts,
  workload,
} from "../../support/workloads.ts";
import { Unreachable } from "../../../functions/ports/errors.ts";
import type { Verifier } from "../../../functions/ports/verifier.ts";
import { digest } from "../../support/digest-workloads.ts";
import { problemsOf } from "../../support/problems.ts";
import { step } from "../../handlers/steps.ts";

const zero = { ...completeRollout, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0, template: "t-1" };
const problems = problemsOf("spec.paused: the Deployment is paused");
const record = { ...workload().record, claimExpiresAt: after(400) };

/** Returns an update that sleeps. */
function sleeping(reason: ParkReason, parts: WorkloadParts = {}): Workload {
  return updatingWorkload({ record, inFlight: { ...inFlight, parked: { reason, since: noon } }, ...parts });
}

const parsed = parseCanarySteps([{ size: 1 }, { pause: {} }, { size: 2 }]);
if (parsed.kind === "invalid") throw new Error("invalid steps");
const stepped = { ...policy, canary: { unit: "replicas", amount: 1 } as const, canarySteps: parsed.value };
const pausedCanary = canaryWorkload({
  policy: stepped,
  record,
  canaryProgress: beginStep(stepped, 2, noon),
  inFlight: { ...canaryInFlight, parked: { reason: "CanaryPaused", since: noon } },
});

/** Polls a workload whose execution e-1 runs, or was ended. */
async function poll(initial: Workload, end: "finish" | "abort" | null = null, minutes = 90, verifier?: Verifier) {
  const asked: Moment[] = [];
  const atMoment = (moment: Moment) => void (/^before (?:state|listRunning)$/.test(moment) && asked.push(moment));
  const tags = { "shop/app": ["1.0.0", "1.1.0"] };
  const fakes = fakePorts({ workloads: [initial], tags, now: after(minutes), atMoment });
  const ports = verifier === undefined ? fakes : { ...fakes, verifier };
  await ports.executions.start("e-1", {} as never);
  if (end !== null) ports.executions[end]("e-1");
  const report = await pollCluster(ports);
  return { ports, report, asked: asked.length, started: ports.executions.started.slice(1) };
}

describe("a poll asks nothing about the execution of a parked update, and starts none, while", () => {
  test.for([
    { wait: "it is scaled to 0", initial: sleeping("NoReplicas", { rollout: zero }) },
    {
      wait: "its owner has paused it",
      initial: sleeping("WorkloadPaused", { problems, rollout: { ...zero, isPaused: true } }),
    },
    { wait: "a setting is invalid", initial: sleeping("InvalidSetting", { problems }) },
    { wait: "its canary waits for a person", initial: pausedCanary },
    { wait: "another installation holds its claim", initial: elsewhere(sleeping("NoReplicas")) },
  ])("$wait", async ({ initial }) => {
    const { report, asked, started } = await poll(initial);
    expect(report).toMatchObject({ inFlight: 1, failures: 0 });
    expect({ asked, started }).toEqual({ asked: 0, started: [] });
  });
});

describe("a canary whose image is not verified any more", () => {
  const unverified = {
    ...pausedCanary,
    canaryProgress: beginStep(stepped, 1, noon),
    inFlight: { ...canaryInFlight, parked: { reason: "Unverified", since: noon } },
  } as const;
  const refused = { kind: "unverified", digest: null, reason: "no valid signature" } as const;
  const signed = { kind: "verified", digest: digest(1), reason: "signed by key release.pub" } as const;

  test.for([
    { when: "it is not verified", outcome: refused, adopted: 0 },
    { when: "the registry does not answer", outcome: new Unreachable("no answer"), adopted: 0 },
    { when: "it is verified", outcome: signed, adopted: 1 },
    { when: "no rule is for it any more", outcome: { ...refused, kind: "unmatched" } as const, adopted: 1 },
    { when: "it is verified, and another installation holds its claim", outcome: signed, of: elsewhere, adopted: 0 },
  ])("is continued by $adopted polls if $when", async ({ outcome, of = (one: Workload) => one, adopted }) => {
    const verify = async () => {
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    const { report, asked, started } = await poll(of(unverified), null, 90, { scopes: [], verify });
    expect(report).toMatchObject({ adopted, inFlight: 1 - adopted, failures: 0 });
    expect(asked).toBe(0);
    expect(started.map(({ input }) => [input.strategy, input.adopting])).toEqual(adopted ? [["canary", true]] : []);
  });
});

function elsewhere(initial: Workload): Workload {
  return { ...initial, record: { ...initial.record, claimedElsewhereUntil: after(400) } };
}

describe("a poll continues a parked update at once, although its execution sleeps, if", () => {
  test.for([
    { end: "it was scaled up", initial: sleeping("NoReplicas"), strategy: "rolling" },
    { end: "its owner resumed it", initial: sleeping("WorkloadPaused"), strategy: "rolling" },
    { end: "its setting is valid", initial: sleeping("InvalidSetting"), strategy: "rolling" },
    {
      end: "its owner opted out",
      initial: sleeping("NoReplicas", { rollout: zero, policy: { optIn: "no" } }),
      strategy: "rolling",
    },
    { end: "a person continued it", initial: requested("promote", null), strategy: "canary" },
    { end: "a person promoted it", initial: requested("promote", "full"), strategy: "canary" },
    { end: "a person aborted it", initial: requested("abort", null), strategy: "canary" },
    {
      end: "a pod of its canary is not available any more",
      initial: { ...pausedCanary, canary: { ...canaryPods, readyReplicas: 0 } },
      strategy: "canary",
    },
  ])("$end", async ({ initial, strategy }) => {
    const { report, asked, started } = await poll(initial);
    expect({ adopted: report.adopted, asked }).toEqual({ adopted: 1, asked: 0 });
    expect(started).toMatchObject([{ input: { strategy, adopting: true } }]);
  });
});

function requested(verb: string, argument: string | null): Workload {
  const request = { verb, argument, token: "t-1" };
  const verdict = verb === "abort" ? "abort" : argument === null ? "continue" : "promote";
  return { ...pausedCanary, request, verdict };
}

describe("once the claim of a parked update has expired, its execution did not wake up:", () => {
  const expired = { ...record, claimExpiresAt: noon };
  test.for([
    { end: null, adopted: 0, strategy: null },
    { end: "finish", adopted: 1, strategy: "canary" },
    { end: "abort", adopted: 1, strategy: "abort" },
  ] as const)("the poll asks about it: $end, adopted as $strategy", async ({ end, adopted, strategy }) => {
    const { report, asked, started } = await poll({ ...pausedCanary, record: expired }, end);
    expect(asked).toBeGreaterThan(0);
    expect({ adopted: report.adopted, strategy: started[0]?.input.strategy ?? null }).toEqual({ adopted, strategy });
  });
});

describe("an image that a person sets ends a parked update", () => {
  const hotfix = "registry.example/shop/app:hotfix";

  test("of a workload at once: its execution has lost the claim when it wakes up", async () => {
    const { ports } = await poll(sleeping("NoReplicas", { rollout: { ...zero, image: hotfix }, image: hotfix }));
    expect(ports.cluster.get()).toMatchObject({ inFlight: null, image: hotfix });
    const check = { ...step, executionStartedAt: noon.toISOString() };
    expect(await checkReadiness(ports, check)).toMatchObject({ kind: "superseded" });
  });

  test("with a canary by an execution that removes it", async () => {
    const { started, asked } = await poll({ ...pausedCanary, image: hotfix });
    expect(asked).toBe(0);
    expect(started).toMatchObject([{ input: { strategy: "abort", adopting: true } }]);
  });
});

test("polls that see the end of a wait twice start one execution; it fences, and the sleeping one wakes up too late", async () => {
  const { ports } = await poll(sleeping("NoReplicas"));
  await pollCluster(ports);
  const [next, ...others] = ports.executions.started.slice(1);
  expect(others).toEqual([]);
  const execution = next?.name ?? "";
  expect(await adoptUpdate(ports, { ...step, execution })).toMatchObject({ kind: "adopted" });
  expect(ports.cluster.get().inFlight).toMatchObject({ execution });
  expect(ports.cluster.get().inFlight).not.toHaveProperty("parked");
  const check = { ...step, executionStartedAt: noon.toISOString() };
  expect(await checkReadiness(ports, check)).toMatchObject({ kind: "superseded" });
  expect(await checkReadiness(ports, { ...check, execution })).toMatchObject({ kind: "ready" });
  expect(ports.cluster.get().image).toBe(target);
});

describe("a newer version takes the place of a parked update of which nothing runs", () => {
  const asleep = sleeping("NoReplicas", { image: target, rollout: zero });
  const newer = { "shop/app": ["1.0.0", "1.1.0", "1.2.0"] };
  const checked = {
    ...inFlight,
    isApplied: false,
    git: { repository: "config", since: noon, url: "https://git.test/pull/7" },
  };

  test("its execution ends as superseded, nothing is blamed, and the image before both stays that to restore", async () => {
    const ports = fakePorts({ workloads: [asleep], tags: newer, now: after(90) });
    expect(await pollCluster(ports)).toMatchObject({ started: 1, failures: 0 });
    const started = ports.executions.started[0];
    const own = { ...step, execution: started?.name ?? "", target: imageTarget("registry.example/shop/app:1.2.0") };
    expect(started?.input).toMatchObject({ target: own.target, adopting: false });
    expect(await applyUpdate(ports, own)).toMatchObject({ kind: "applied" });
    const times = { executionStartedAt: after(90).toISOString() };
    expect(await checkReadiness(ports, { ...step, ...times })).toMatchObject({ kind: "superseded" });
    expect(ports.cluster.get()).toMatchObject({
      image: "registry.example/shop/app:1.2.0",
      inFlight: { target: own.target, previousImage: "registry.example/shop/app:1.0.0", execution: own.execution },
      updateRecord: { rollbackCount: 0, failedVersions: [], minimumVersion: null, versionHistory: [] },
    });
    expect(ports.cluster.get().inFlight?.parked).toBeUndefined();
    expect(await pollCluster(ports)).toMatchObject({ started: 0, adopted: 0, inFlight: 1 });
  });

  test.for<{ when: string; parts: WorkloadParts }>([
    { when: "updates are suspended", parts: { policy: { paused: true } } },
    {
      when: "its schedule is not due",
      parts: { policy: { schedule: "0 0 1 1 *" }, updateRecord: { lastCheck: noon } },
    },
    { when: "its owner opted out", parts: { policy: { optIn: "no" } } },
    { when: "a setting is invalid", parts: { problems } },
    { when: "no tags are listed for it", parts: { source: null } },
    { when: "the newer version is outside the constraint", parts: { policy: { versionConstraint: "<1.2.0" } } },
    { when: "the newer version has failed", parts: { updateRecord: { failedVersions: ["1.2.0"] } } },
    { when: "a pod runs again", parts: { rollout: { ...zero, desiredReplicas: 1, updatedReplicas: 1 } } },
  ])("not if $when", async ({ parts }) => {
    const initial = sleeping("NoReplicas", { image: target, rollout: zero, ...parts });
    const ports = fakePorts({ workloads: [initial], tags: newer, now: after(90) });
    await ports.executions.start("e-1", {} as never);
    await pollCluster(ports);
    expect(ports.executions.started.slice(1).filter(({ input }) => !input.adopting)).toEqual([]);
  });

  test.for<{ when: string; parts?: WorkloadParts; end?: "finish"; yields: boolean }>([
    { when: "it sleeps", yields: true },
    { when: "its execution checks it", parts: { inFlight: checked }, yields: false },
    { when: "its execution was lost", parts: { inFlight: checked }, end: "finish", yields: true },
    { when: "another installation holds its claim", parts: { record: elsewhere(asleep).record }, yields: false },
    { when: "the newer version has failed", parts: { updateRecord: { failedVersions: ["1.2.0"] } }, yields: false },
  ])("one that waits for a merge is continued to ask the host, if $when: $yields", async ({ parts, end, yields }) => {
    const parked = { reason: "PullRequest", since: noon } as const;
    const initial = updatingWorkload({ image, record, inFlight: { ...checked, parked }, ...parts });
    const ports = fakePorts({ workloads: [initial], tags: newer, now: after(90) });
    await ports.executions.start("e-1", {} as never);
    if (end !== undefined) ports.executions[end]("e-1");
    expect(await pollCluster(ports)).toMatchObject({ started: 0, adopted: yields ? 1 : 0, failures: 0 });
    const input = { target: imageTarget(target), adopting: true, newer: "1.2.0" };
    expect(ports.executions.started.slice(1)).toMatchObject(yields ? [{ input }] : []);
    // The same start, whatever polls at the same time.
    await pollCluster(ports);
    expect(ports.executions.started.slice(1)).toHaveLength(yields ? 1 : 0);
  });

  test("it is scaled up before the execution begins: the update that was parked continues", async () => {
    const ports = fakePorts({ workloads: [asleep], tags: newer, now: after(90) });
    await pollCluster(ports);
    const started = ports.executions.started[0];
    ports.cluster.put({ ...ports.cluster.get(), rollout: { ...completeRollout, template: "t-1" } });
    const own = { ...step, execution: started?.name ?? "", target: imageTarget("registry.example/shop/app:1.2.0") };
    expect(await applyUpdate(ports, own)).toMatchObject({ kind: "superseded" });
    expect(ports.cluster.get()).toMatchObject({ image: target, inFlight: { execution: "e-1" } });
  });
});
