import { describe, expect, test } from "vitest";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import type { BackOff } from "../../../functions/domain/workload/workload.ts";
import { after, inFlight, noon, updateTarget, imageTarget } from "../../support/workloads.ts";
import { namedUpdatingWorkload, idleWorkload, tags } from "./fixtures.ts";

const image = "registry.example/shop/web:1.1.0";
const uid = "uid-of-web";
const refused = { error: "UpdateRefused", cause: "admission webhook denied the request" };
const bug = { error: "UpdateFailed", cause: "undefined is not a function" };

function idle(parts = {}): FakePorts {
  return fakePorts({ workloads: [idleWorkload("web", undefined, parts)], tags: { "shop/web": tags } });
}

function names({ executions }: FakePorts): readonly string[] {
  return executions.started.map(({ name }) => name);
}

function backOffOf({ cluster }: FakePorts): BackOff | null {
  return cluster.get(uid)?.backOff ?? null;
}

/** Polls each minute, and ends each execution as soon as it runs. Returns how often an execution was to be started, per poll. */
async function pollFor(minutes: number, ports: FakePorts, end: (name: string) => void): Promise<readonly number[]> {
  const calls: number[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    let starts = 0;
    const start: FakePorts["executions"]["start"] = (name, input) => {
      starts += 1;
      return ports.executions.start(name, input);
    };
    await pollCluster({ ...ports, executions: { ...ports.executions, start } });
    for (const { name } of ports.executions.running()) end(name);
    calls.push(starts);
    ports.pass(60);
  }
  return calls;
}

describe("an update whose executions end without a trace", () => {
  test("backs off up to an hour, with one start per attempt, and names never run out", async () => {
    const ports = idle();
    const day = 24 * 60;
    const calls = await pollFor(3 * day, ports, ports.executions.finish);
    expect(Math.max(...calls)).toBe(1);
    // The last names of three days, long after 50: one attempt per hour.
    expect(new Set(names(ports)).size).toBeGreaterThan(70);
    expect(calls.slice(-day).reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(2 * 24);
    expect(backOffOf(ports)).toMatchObject({ reason: "Interrupted", target: imageTarget(image), execution: null });
    expect(ports.cluster.events().filter(({ type }) => type === "Warning")).toMatchObject([
      { reason: "AutoUpdateBackOff", message: expect.stringContaining("stopped or superseded") },
    ]);
    expect(ports.published.filter(({ type }) => type === "Update Held")).toHaveLength(1);
  });

  test.for([
    { failure: refused, reason: "Refused" },
    { failure: { error: "WriteRefused", cause: "no rights" }, reason: "Refused" },
    { failure: bug, reason: "Failed" },
    { failure: { error: "ClusterUnreachable", cause: "no answer" }, reason: "Interrupted" },
    { failure: { error: "PlatformError", cause: "inactive" }, reason: "Interrupted" },
  ])("says that it was $reason after $failure.error", async ({ failure, reason }) => {
    const ports = idle();
    await pollCluster(ports);
    const [name = ""] = names(ports);
    ports.executions.fail(name, failure);
    expect(await pollCluster(ports)).toMatchObject({ started: 0, held: 1, recorded: 1 });
    const message = `execution ${name} ended before it changed anything: ${failure.error}: ${failure.cause}`;
    const backOff = { reason, message, target: imageTarget(image), attempts: 1, until: after(1), execution: null };
    expect(ports.cluster.get(uid)).toMatchObject({
      backOff,
      lastReported: { held: `1.1.0 is not applied (attempt 1, tried again at 2026-11-20T12:01:00Z): ${message}` },
    });
  });

  test("is started again by itself once its cause is fixed", async () => {
    const ports = idle();
    await pollFor(200, ports, (name) => ports.executions.fail(name, refused));
    const before = names(ports).length;
    await pollFor(60, ports, () => {});
    expect(names(ports)).toHaveLength(before + 1);
    expect(ports.executions.running()).toHaveLength(1);
  });

  test("stalls after three unexpected errors", async () => {
    const ports = idle();
    await pollFor(600, ports, (name) => ports.executions.fail(name, bug));
    expect(names(ports)).toHaveLength(3);
    expect(backOffOf(ports)).toMatchObject({ reason: "Failed", attempts: 3 });
    const warnings = ports.cluster.events().filter(({ type }) => type === "Warning");
    expect(warnings.map(({ reason }) => reason)).toEqual(["AutoUpdateBackOff", "AutoUpdateBackOff"]);
    expect(warnings.at(-1)?.message).toContain("not tried again after 3 unexpected errors");
  });
});

describe("a back-off", () => {
  const backOff: BackOff = {
    reason: "Refused",
    message: "denied",
    target: imageTarget(image),
    attempts: 3,
    until: after(4),
    execution: null,
  };
  const answered = { token: "t-1", verb: "retry", result: "done" };

  test("holds its target until it has passed; nothing is written or emitted meanwhile", async () => {
    const ports = idle({ backOff });
    expect(await pollCluster(ports)).toMatchObject({ started: 0, held: 1, recorded: 1 });
    expect(await pollCluster(ports)).toMatchObject({ started: 0, held: 1, recorded: 0 });
    expect(ports.cluster.get(uid)?.lastReported.held).toContain("tried again at 2026-11-20T12:04:00Z");
    expect(ports.cluster.events().filter(({ type }) => type === "Warning")).toEqual([]);
    ports.pass(240);
    expect(await pollCluster(ports)).toMatchObject({ started: 1 });
    expect(backOffOf(ports)).toEqual(backOff);
  });

  test("of another target holds nothing, and ends if nothing newer is found", async () => {
    const other = { ...backOff, target: imageTarget("registry.example/shop/web:1.0.9") };
    expect(await pollCluster(idle({ backOff: other }))).toMatchObject({ started: 1 });
    const newest = fakePorts({
      workloads: [idleWorkload("web", image, { backOff, updateRecord: { currentVersion: "1.1.0" } })],
      tags: { "shop/web": tags },
    });
    await pollCluster(newest);
    expect(backOffOf(newest)).toBeNull();
  });

  test("ends if a person sets another image, also if its target stays the same", async () => {
    const ports = idle();
    await pollFor(10, ports, (name) => ports.executions.fail(name, bug));
    expect(backOffOf(ports)).toMatchObject({ attempts: 3, target: imageTarget(image) });
    const started = names(ports).length;
    expect(await pollCluster(ports)).toMatchObject({ started: 0, held: 1 });
    const subject = ports.cluster.get(uid);
    ports.cluster.put({ ...subject, image: subject.image?.replace("1.0.0", "0.9.0") ?? null, rollout: null });
    expect(await pollCluster(ports)).toMatchObject({ started: 1 });
    ports.executions.fail(names(ports).at(-1) ?? "", bug);
    await pollCluster(ports);
    expect(backOffOf(ports)).toMatchObject({ attempts: 1, target: imageTarget(image) });
    expect(names(ports)).toHaveLength(started + 1);
  });

  test.for([
    { what: "each attempt", parts: { backOff: { ...backOff, until: noon } } },
    { what: "each request that was answered", parts: { lastRequest: answered } },
  ])("gives $what another name", async ({ parts }) => {
    const [ports, other] = [idle(), idle(parts)];
    await pollCluster(ports);
    await pollCluster(other);
    expect(names(other)).not.toEqual(names(ports));
  });
});

describe("a claim", () => {
  function claimed(parts = {}): FakePorts {
    return fakePorts({ workloads: [namedUpdatingWorkload("web", parts)] });
  }

  test.for([
    { failure: bug, reason: "Failed" },
    { failure: { error: "WriteRefused", cause: "no rights" }, reason: "Refused" },
  ])("whose execution ended as $failure.error is adopted after a back-off", async ({ failure, reason }) => {
    const ports = claimed();
    await ports.executions.start("e-1", {} as never);
    ports.executions.fail("e-1", failure);
    expect(await pollCluster(ports)).toMatchObject({ adopted: 0, held: 1, recorded: 1 });
    expect(backOffOf(ports)).toMatchObject({ reason, message: failure.cause, target: updateTarget, execution: "e-1" });
    expect(await pollCluster(ports)).toMatchObject({ adopted: 0, held: 1, recorded: 0 });
    ports.pass(60);
    expect(await pollCluster(ports)).toMatchObject({ adopted: 1 });
  });

  test.for([{ error: "ClusterUnreachable" }, { error: "PlatformError" }])(
    "whose execution ended as $error is adopted at once",
    async ({ error }) => {
      const ports = claimed();
      await ports.executions.start("e-1", {} as never);
      ports.executions.fail("e-1", { error, cause: "no answer" });
      expect(await pollCluster(ports)).toMatchObject({ adopted: 1 });
    },
  );

  test("whose adoptions all end without a trace is adopted for days, and names never run out", async () => {
    const ports = claimed();
    const unreachable = { error: "ClusterUnreachable", cause: "no answer" };
    const calls = await pollFor(4 * 24 * 60, ports, (name) => ports.executions.fail(name, unreachable));
    expect(Math.max(...calls)).toBe(1);
    expect(names(ports).length).toBeGreaterThan(90);
    expect(backOffOf(ports)).toMatchObject({ reason: "Interrupted", execution: "e-1" });
    expect(ports.cluster.get(uid)?.inFlight).toEqual(inFlight);
  });
});
