import { describe, expect, test } from "vitest";
import {
  RegistryAnswerInvalid,
  RegistryUnauthorized,
  RepositoryNotFound,
  Unreachable,
} from "../../../functions/ports/errors.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { emptyPoolsReport } from "../../../functions/workflows/poll/report.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { after } from "../../support/workloads.ts";
import { namedUpdatingWorkload, idleWorkload, tags } from "./fixtures.ts";
import { problemsOf } from "../../support/problems.ts";

describe("one poll", () => {
  test("lists a repository once, however many workloads use it and however it is spelled", async () => {
    const spellings = ["nginx:1.0.0", "docker.io/nginx:1.0.0", "index.docker.io/library/nginx:1.0.0"];
    const workloads = spellings.map((source, index) => idleWorkload(`web-${index}`, source));
    const ports = fakePorts({ workloads, tags: { "library/nginx": tags } });
    expect(await pollCluster(ports)).toMatchObject({ evaluated: 3, started: 3 });
    expect(ports.listed).toEqual(["library/nginx"]);
  });

  test("distinguishes registries with repositories of the same name", async () => {
    const workloads = ["a.example/app:1.0.0", "b.example/app:1.0.0"].map((source, index) =>
      idleWorkload(`web-${index}`, source),
    );
    const ports = fakePorts({ workloads, tags: { app: tags } });
    await pollCluster(ports);
    expect(ports.listed).toEqual(["app", "app"]);
  });

  test("lists again in the next poll", async () => {
    const ports = fakePorts({ workloads: [idleWorkload("web")], tags: { "shop/web": ["1.0.0"] } });
    await pollCluster(ports);
    await pollCluster(ports);
    expect(ports.listed).toHaveLength(2);
  });

  test.for([
    { when: "it is disabled", parts: { policy: { optIn: "no" as const } } },
    { when: "it is paused", parts: { policy: { paused: true } } },
    { when: "it is not due", parts: { policy: { schedule: "@daily" }, updateRecord: { lastCheck: after(-1) } } },
    { when: "it is pinned", parts: { image: `registry.example/shop/app@sha256:${"a".repeat(64)}` } },
    { when: "its policy is invalid", parts: { problems: problemsOf("schedule: what?") } },
    { when: "its image is invalid", parts: { source: "not an image" } },
  ])("sends no request to the registry for a workload if $when", async ({ parts }) => {
    const ports = fakePorts({ workloads: [idleWorkload("web", undefined, parts)], tags: { "shop/web": tags } });
    expect(await pollCluster(ports)).toMatchObject({ evaluated: 1, started: 0, failed: [] });
    expect(ports.listed).toEqual([]);
  });

  test.for([
    {
      when: "up to date",
      parts: { source: "registry.example/shop/web:1.1.0", image: "registry.example/shop/web:1.1.0" },
      held: 0,
    },
    { when: "not due", parts: { policy: { schedule: "@yearly" }, updateRecord: { lastCheck: new Date() } }, held: 0 },
    { when: "paused", parts: { policy: { paused: true } }, held: 1 },
    { when: "held by an open circuit", parts: { updateRecord: { circuitOpen: true } }, held: 1 },
  ])("a workload that is $when counts as $held held", async ({ parts, held }) => {
    const ports = fakePorts({ workloads: [idleWorkload("web", undefined, parts)], tags: { "shop/web": tags } });
    expect(await pollCluster(ports)).toMatchObject({ evaluated: 1, started: 0, held, failures: 0 });
  });

  test("counts what it did", async () => {
    const workloads = [
      idleWorkload("newer"),
      idleWorkload("current", "registry.example/shop/newer:1.1.0"),
      idleWorkload("paused", undefined, { policy: { paused: true } }),
      idleWorkload("broken", undefined, { problems: problemsOf("schedule: what?") }),
      namedUpdatingWorkload("moving"),
      namedUpdatingWorkload("lost", { inFlight: { ...namedUpdatingWorkload("lost").inFlight!, execution: "e-9" } }),
      idleWorkload("away"),
    ];
    const ports = fakePorts({ workloads, tags: { "shop/newer": tags, "shop/away": new Unreachable("no answer") } });
    const moving = { ...ports, executions: { ...ports.executions, state: async (name: string) => stateOf(name) } };
    expect(await pollCluster(moving)).toEqual({
      skipped: null,
      evaluated: 7,
      started: 1,
      adopted: 1,
      inFlight: 1,
      // Only the paused one: the current one is up to date.
      held: 1,
      // The problem, and the states of the paused and of the current one.
      recorded: 3,
      problems: 1,
      quarantined: 0,
      failures: 1,
      deferred: 0,
      unreached: 0,
      pools: emptyPoolsReport,
      failed: [{ workload: idleWorkload("away").ref, error: "Unreachable", message: "no answer" }],
    });
    expect(ports.executions.started.map(({ input }) => input.workload.name).toSorted()).toEqual(["lost", "newer"]);
  });
});

function stateOf(name: string) {
  return name === "e-1" ? "running" : "ended";
}

describe("a failed evaluation affects no other workload", () => {
  test.for([
    { when: "its registry does not answer", error: new Unreachable("no answer") },
    { when: "its registry returns nonsense", error: new RegistryAnswerInvalid("no list") },
  ])("$when", async ({ error }) => {
    const workloads = [idleWorkload("a"), idleWorkload("b"), idleWorkload("c", "registry.example/shop/a:1.0.0")];
    const ports = fakePorts({ workloads, tags: { "shop/a": error, "shop/b": tags } });
    const { started, failed } = await pollCluster(ports);
    expect(started).toBe(1);
    const messages = failed.map(({ workload, error: name, message }) => `${workload.name} ${name} ${message}`);
    expect(messages.toSorted()).toEqual(["a", "c"].map((name) => `${name} ${error.name} ${error.message}`));
    expect(ports.listed.toSorted()).toEqual(["shop/a", "shop/b"]);
  });

  test.for([new RegistryUnauthorized("access denied"), new RepositoryNotFound("no such repository")])(
    "its registry refuses: $name",
    async (error) => {
      const ports = fakePorts({
        workloads: [idleWorkload("a"), idleWorkload("b")],
        tags: { "shop/a": error, "shop/b": tags },
      });
      expect(await pollCluster(ports)).toMatchObject({ started: 1, problems: 1, recorded: 1, failures: 0, failed: [] });
      expect(ports.cluster.get("uid-of-a")?.lastReported.problem).toBe(error.message);
      expect(await pollCluster(ports)).toMatchObject({ problems: 1, recorded: 0 });
    },
  );
});

test("an empty listing leads to no decision", async () => {
  const ports = fakePorts({ workloads: [idleWorkload("web")], tags: { "shop/web": [] } });
  expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 1 });
  const { evaluated, updateRecord } = ports.cluster.get("uid-of-web");
  expect(evaluated).toMatchObject({ state: "NotEvaluated", reason: "NoTags" });
  expect(updateRecord).toEqual(idleWorkload("web").updateRecord);
  expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 0 });
});

describe("a poll emits", () => {
  test("a new version once, as an Event and on the bus", async () => {
    const ports = fakePorts({ workloads: [idleWorkload("web")], tags: { "shop/web": tags } });
    await pollCluster(ports);
    await pollCluster(ports);
    expect(ports.cluster.events()).toMatchObject([{ type: "Normal", reason: "AutoUpdateAvailable", key: "1.1.0" }]);
    expect(ports.published[0]).toMatchObject({
      type: "Update Available",
      execution: null,
      version: "1.1.0",
      image: "registry.example/shop/web:1.1.0",
    });
  });

  test("a known version not again", async () => {
    const known = idleWorkload("web", undefined, { updateRecord: { candidateVersion: "1.1.0" } });
    const ports = fakePorts({ workloads: [known], tags: { "shop/web": tags } });
    expect(await pollCluster(ports)).toMatchObject({ started: 1 });
    expect(ports.published).toEqual([]);
  });

  test("an open circuit once, and starts nothing", async () => {
    const open = { circuitOpen: true, currentVersion: "1.0.0" };
    const ports = fakePorts({
      workloads: [idleWorkload("web", undefined, { updateRecord: open })],
      tags: { "shop/web": tags },
    });
    expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 1 });
    expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 0 });
    expect(ports.published.map(({ type }) => type)).toEqual(["Update Available", "Update Held"]);
    expect(ports.executions.started).toEqual([]);
  });

  test("an invalid image once, as a problem", async () => {
    const ports = fakePorts({ workloads: [idleWorkload("web", "Not/An/Image:1")] });
    expect(await pollCluster(ports)).toMatchObject({ problems: 1, recorded: 1 });
    expect(await pollCluster(ports)).toMatchObject({ problems: 1, recorded: 0 });
    expect(ports.published).toMatchObject([{ type: "Update Held", reason: expect.stringContaining("Not/An/Image:1") }]);
  });
});
