import { afterAll, describe, expect, test } from "vitest";
import type { Ports } from "../../../../functions/contract/ports.ts";
import type { StepInput } from "../../../../functions/contract/workload-update.ts";
import { adoptUpdate } from "../../../../functions/handlers/adopt-update.ts";
import { checkHook } from "../../../../functions/handlers/check-hook.ts";
import { recordSuccess } from "../../../../functions/handlers/record-success.ts";
import { runHook } from "../../../../functions/handlers/run-hook.ts";
import { startCanary } from "../../../../functions/handlers/start-canary.ts";
import { expectSelectable, revert } from "../../../handlers/steps.ts";
import { cronJob } from "../../../support/workloads/cron-jobs.ts";
import {
  applyWhenReady,
  type InterruptedWrite,
  first,
  openCanary,
  startCanaryCluster,
  target,
} from "./stateful-canary-harness.ts";
import { imageTarget } from "../../../support/workloads.ts";

const cluster = await startCanaryCluster();
afterAll(() => cluster.close());

const hooks = { prePromotion: { job: "migrate", timeout: "5m" } };

async function open(image: string | null, cut?: InterruptedWrite) {
  const opened = await openCanary(cluster, cut, { canaryReplicas: 1, hooks });
  const { harness, object } = opened;
  const cronJobs = `/apis/batch/v1/namespaces/${harness.namespace}/cronjobs`;
  if (image !== null)
    await harness.request("POST", cronJobs, { body: cronJob("migrate", image, { suspend: true, annotations: {} }) });
  return {
    ...opened,
    jobs: async () => {
      const { body } = await harness.request("GET", `/apis/batch/v1/namespaces/${harness.namespace}/jobs`);
      return (body as unknown as { readonly items: readonly { readonly metadata: { readonly uid: string } }[] }).items;
    },
    status: async () => (await object()).status,
    stable: async () => (await opened.set("stable")).spec,
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Follows the machine from the canary that passed. Repeats a step once if it fails. */
async function promote({ ports, input }: Pick<Opened, "ports" | "input">): Promise<readonly string[]> {
  const kinds: string[] = [];
  const timed = { ...input, executionStartedAt: ports.now().toISOString() };
  const run = async (step: (ports: Ports, input: typeof timed) => Promise<{ readonly kind: string }>) => {
    const { kind } = await step(ports, timed).catch(() => step(ports, timed));
    kinds.push(kind);
    return kind;
  };
  if ((await run(applyWhenReady)) === "applied") return kinds;
  let kind = await run(runHook);
  while (kind === "progressing") {
    kinds.pop();
    await new Promise((resolve) => setTimeout(resolve, 5));
    kind = await run(checkHook);
  }
  if (kind !== "apply") await run((_, step) => revert(ports, { ...step, verdict: kind, reason: "the hook ended" }));
  if (kind === "apply" && (await run(applyWhenReady)) === "applied") await run((_, step) => recordSuccess(ports, step));
  return kinds;
}

describe("the hook before the promotion of a canary", () => {
  test("that succeeds is followed by the promotion, runs once, and stays in the status", async () => {
    const opened = await open(first);
    await startCanary(opened.ports, opened.input);
    expectSelectable("ApplyUpdate", await applyWhenReady(opened.ports, opened.input));
    expect(await opened.status()).toMatchObject({
      currentPhase: "Progressing",
      message: "waits for the pre-promotion hook migrate",
      hook: { stage: "PrePromotion", job: "migrate" },
    });
    expect((await opened.stable()).template.spec.containers[0]?.image).toBe(first);
    expect(await promote(opened)).toEqual(["hook", "apply", "applied", "recorded"]);
    const [job, ...others] = await opened.jobs();
    expect(others).toEqual([]);
    expect(await opened.status()).toMatchObject({
      currentPhase: "Succeeded",
      hook: { stage: "PrePromotion", job: "migrate", jobUID: job?.metadata.uid, result: "Succeeded" },
    });
    expect((await opened.stable()).template.spec.containers[0]?.image).toBe(target);
  });

  test("that fails rolls the canary back, and blames its image", async () => {
    const opened = await open("registry.invalid/shop/migrate:1-bad");
    await startCanary(opened.ports, opened.input);
    expect(await promote(opened)).toEqual(["hook", "expired", "rolled-back"]);
    const status = await opened.status();
    expect(status).toMatchObject({
      currentPhase: "Failed",
      hook: { result: "Failed", reason: expect.stringContaining("BackoffLimitExceeded") },
      autoUpdate: { failedVersions: ["1.1.0"] },
    });
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({ type: "AutoUpdateInProgress", status: "False", reason: "HookFailed" }),
    );
    expect(await opened.stable()).toMatchObject({
      replicas: 3,
      template: { spec: { containers: [{ image: first }, {}] } },
    });
  });

  test("that has no result withdraws the canary, and it is tried again later", async () => {
    const opened = await open(null);
    await startCanary(opened.ports, opened.input);
    expect(await promote(opened)).toEqual(["hook", "no-result", "withdrawn"]);
    expect(await opened.status()).toMatchObject({
      currentPhase: "Initializing",
      hook: { result: "Unknown", reason: expect.stringContaining("not found") },
      backOff: { reason: "HookFailed", attempts: 1 },
    });
    expect((await opened.status())?.autoUpdate?.failedVersions ?? []).toEqual([]);
    expect((await opened.stable()).template.spec.containers[0]?.image).toBe(first);
  });

  test("is found by an execution that adopts the canary", async () => {
    const opened = await open(first);
    const { ports, input } = opened;
    await startCanary(ports, input);
    await applyWhenReady(ports, input);
    await runHook(ports, { ...input, executionStartedAt: ports.now().toISOString() });
    const adopting: StepInput = { ...input, execution: "e-2", adopting: true };
    expect(await adoptUpdate(ports, adopting)).toMatchObject({ kind: "canary" });
    expect((await opened.status())?.hook).toMatchObject({ jobUID: (await opened.jobs())[0]?.metadata.uid });
    expect(await promote({ ports, input: { ...input, execution: "e-2" } })).toEqual([
      "hook",
      "apply",
      "applied",
      "recorded",
    ]);
    expect(await opened.jobs()).toHaveLength(1);
  });

  test.for([
    {
      when: "a person promotes the canary",
      edit: { metadata: { annotations: { "pawl.dev/request": "promote t-1" } } },
      kind: "progressing",
    },
    {
      when: "a person aborts it",
      edit: { metadata: { annotations: { "pawl.dev/request": "abort t-1" } } },
      kind: "abort",
    },
    { when: "its owner requests another image", edit: { spec: { canaryImage: first } }, kind: "superseded" },
    { when: "its owner removes the hook", edit: { spec: { hooks: null } }, kind: "apply" },
    {
      when: "it becomes invalid",
      edit: { spec: { hooks: { prePromotion: { timeout: "soon" } } } },
      kind: "progressing",
    },
  ])("is followed by what its owner wants: $when", async ({ edit, kind }) => {
    const opened = await open(first);
    const { ports, input, harness, path } = opened;
    const timed = { ...input, executionStartedAt: ports.now().toISOString() };
    await startCanary(ports, input);
    await applyWhenReady(ports, input);
    await harness.request("PATCH", path, { body: edit, contentType: "application/merge-patch+json" });
    expect((await runHook(ports, timed)).kind).toBe(kind);
    const applied = await applyWhenReady(ports, input);
    expect(applied.kind).toBe({ apply: "applied", superseded: "superseded" }[kind] ?? "hook");
    const { image } = (await opened.stable()).template.spec.containers[0] ?? {};
    expect(image).toBe(kind === "apply" ? target : first);
  });

  test("ends with the object that its owner deletes", async () => {
    const opened = await open(first);
    const { ports, input, harness, path } = opened;
    const timed = { ...input, executionStartedAt: ports.now().toISOString() };
    await startCanary(ports, input);
    await applyWhenReady(ports, input);
    await runHook(ports, timed);
    await harness.request("DELETE", path);
    expect(await checkHook(ports, timed)).toMatchObject({ kind: "abort" });
    expect(await revert(ports, { ...input, verdict: "abort", reason: "deleted" })).toMatchObject({
      kind: "superseded",
    });
    expect((await harness.request("GET", path)).code).toBe(404);
  });

  test("of an earlier update is not that of the next one", async () => {
    const opened = await open(first);
    const { ports, input, harness, path } = opened;
    await startCanary(ports, input);
    await promote(opened);
    const image = "registry.invalid/shop/db:1.2.0";
    const body = { spec: { canaryImage: image } };
    await harness.request("PATCH", path, { body, contentType: "application/merge-patch+json" });
    const next = {
      ports: { ...ports, now: () => new Date(ports.now().getTime() + 3000) },
      input: { ...input, target: imageTarget(image) },
    };
    await startCanary(next.ports, next.input);
    expect((await opened.status())?.hook).toBeUndefined();
    expect(await promote(next)).toEqual(["hook", "apply", "applied", "recorded"]);
    expect(await opened.jobs()).toHaveLength(2);
  });

  test("never changes the object but its status: its function may not", async () => {
    const opened = await open(first);
    const { ports, input } = opened;
    await startCanary(ports, input);
    await applyWhenReady(ports, input);
    const before = (await opened.object()).metadata;
    const timed = { ...input, executionStartedAt: ports.now().toISOString() };
    const requests = opened.proxy.requests.length;
    await runHook(ports, timed);
    await checkHook(ports, timed);
    const writes = opened.proxy.requests.slice(requests).filter(({ method }) => method !== "GET");
    const paths = writes.map(
      ({ method, path }) => `${method} ${path.replace(/\?.*/, "").split("/").slice(-2).join("/")}`,
    );
    expect(paths.filter((one) => !/events$|jobs$|db\/status$/.test(one))).toEqual([]);
    expect((await opened.object()).metadata.annotations).toEqual(before.annotations);
  });
});

test.for([
  { when: "before the server stores it", isWritten: false },
  { when: "after the server stores it", isWritten: true },
])(
  "if any write is interrupted $when, the hook runs once, and the promotion has the same result",
  async ({ isWritten }) => {
    const uninterrupted = await open(first);
    await startCanary(uninterrupted.ports, uninterrupted.input);
    await promote(uninterrupted);
    const writes = uninterrupted.writes();
    for (let cut = 1; cut <= writes; cut += 1) {
      const opened = await open(first, { cut, isWritten });
      const start = () => startCanary(opened.ports, opened.input);
      await start().catch(start);
      expect((await promote(opened)).at(-1), `write ${cut}`).toBe("recorded");
      expect(await opened.jobs(), `write ${cut}`).toHaveLength(1);
      expect(await opened.status()).toMatchObject({ currentPhase: "Succeeded", hook: { result: "Succeeded" } });
    }
  },
);
