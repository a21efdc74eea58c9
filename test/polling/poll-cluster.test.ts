import { describe, expect, test } from "vitest";
import { RegistryRefused, Unreachable } from "../../functions/adapters/errors.ts";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import { noPools } from "../../functions/polling/pools/report.ts";
import { fakePorts, once } from "../support/fake-ports.ts";
import { after, image } from "../support/workloads.ts";
import { inFlightOf, resting, tags } from "./shop.ts";

describe("one poll", () => {
  test("lists a repository once, however many workloads use it and however they spell it", async () => {
    const spellings = ["nginx:1.0.0", "docker.io/nginx:1.0.0", "index.docker.io/library/nginx:1.0.0"];
    const workloads = spellings.map((source, index) => resting(`web-${index}`, source));
    const ports = fakePorts({ workloads, tags: { "library/nginx": tags } });
    expect(await pollCluster(ports)).toMatchObject({ looked: 3, started: 3 });
    expect(ports.listed).toEqual(["library/nginx"]);
  });

  test("keeps registries apart that have repositories of the same name", async () => {
    const workloads = ["a.example/app:1.0.0", "b.example/app:1.0.0"].map((source, index) =>
      resting(`web-${index}`, source),
    );
    const ports = fakePorts({ workloads, tags: { app: tags } });
    await pollCluster(ports);
    expect(ports.listed).toEqual(["app", "app"]);
  });

  test("lists anew at the next poll", async () => {
    const ports = fakePorts({ workloads: [resting("web")], tags: { "shop/web": ["1.0.0"] } });
    await pollCluster(ports);
    await pollCluster(ports);
    expect(ports.listed).toHaveLength(2);
  });

  test.for([
    { when: "it is switched off", parts: { policy: { enabled: false } } },
    { when: "it is paused", parts: { policy: { paused: true } } },
    { when: "it is not due", parts: { policy: { schedule: "@daily" }, bookkeeping: { lastCheck: after(-1) } } },
    { when: "it is pinned", parts: { image: `${image}@sha256:${"a".repeat(64)}` } },
    { when: "something cannot be read", parts: { problems: ["schedule: what?"] } },
    { when: "its image cannot be read", parts: { source: "not an image" } },
  ])("does not ask the registry for a workload where $when", async ({ parts }) => {
    const ports = fakePorts({ workloads: [resting("web", undefined, parts)], tags: { "shop/web": tags } });
    expect(await pollCluster(ports)).toMatchObject({ looked: 1, started: 0, failed: [] });
    expect(ports.listed).toEqual([]);
  });

  test("counts what it did", async () => {
    const workloads = [
      resting("newer"),
      resting("current", "registry.example/shop/newer:1.1.0"),
      resting("paused", undefined, { policy: { paused: true } }),
      resting("broken", undefined, { problems: ["schedule: what?"] }),
      inFlightOf("moving"),
      inFlightOf("lost", { inFlight: { ...inFlightOf("lost").inFlight!, execution: "e-9" } }),
      resting("away"),
    ];
    const ports = fakePorts({ workloads, tags: { "shop/newer": tags, "shop/away": new Unreachable("no answer") } });
    const moving = { ...ports, executions: { ...ports.executions, state: async (name: string) => stateOf(name) } };
    expect(await pollCluster(moving)).toEqual({
      looked: 7,
      started: 1,
      adopted: 1,
      inFlight: 1,
      held: 2,
      recorded: 2,
      problems: 1,
      part: 1,
      failures: 1,
      handedOn: 0,
      unreached: 0,
      pools: noPools,
      failed: [{ workload: resting("away").ref, error: "Unreachable", message: "no answer" }],
    });
    expect(ports.executions.started.map(({ input }) => input.workload.name).toSorted()).toEqual(["lost", "newer"]);
  });
});

function stateOf(name: string) {
  return name === "e-1" ? "running" : "ended";
}

describe("one that fails keeps no other from its turn", () => {
  test.for([
    { why: "its registry does not answer", error: new Unreachable("no answer") },
    { why: "its registry refuses", error: new RegistryRefused("who are you?") },
  ])("$why", async ({ error }) => {
    const workloads = [resting("a"), resting("b"), resting("c", "registry.example/shop/a:1.0.0")];
    const ports = fakePorts({ workloads, tags: { "shop/a": error, "shop/b": tags } });
    const { started, failed } = await pollCluster(ports);
    expect(started).toBe(1);
    const told = failed.map(({ workload, error: name, message }) => `${workload.name} ${name} ${message}`);
    expect(told.toSorted()).toEqual(["a", "c"].map((name) => `${name} ${error.name} ${error.message}`));
    expect(ports.listed.toSorted()).toEqual(["shop/a", "shop/b"]);
  });

  test("a list that breaks off is no poll", async () => {
    const breaks = once("before list", () => {
      throw new Unreachable("no answer");
    });
    await expect(pollCluster(fakePorts({ atMoment: breaks }))).rejects.toMatchObject({ name: "Unreachable" });
  });
});

test("an empty listing is no decision", async () => {
  const ports = fakePorts({ workloads: [resting("web")], tags: { "shop/web": [] } });
  expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 0 });
  expect(ports.cluster.get("uid-of-web")).toEqual(resting("web"));
});

describe("what is said at a poll", () => {
  test("a new version: an Event once, and the bus hears of it", async () => {
    const ports = fakePorts({ workloads: [resting("web")], tags: { "shop/web": tags } });
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

  test("a version that is known is not announced again", async () => {
    const seen = resting("web", undefined, { bookkeeping: { availableVersion: "1.1.0" } });
    const ports = fakePorts({ workloads: [seen], tags: { "shop/web": tags } });
    expect(await pollCluster(ports)).toMatchObject({ started: 1 });
    expect(ports.published).toEqual([]);
  });

  test("an open circuit: detected and announced once, nothing is started", async () => {
    const open = { circuitOpen: true, currentVersion: "1.0.0" };
    const ports = fakePorts({
      workloads: [resting("web", undefined, { bookkeeping: open })],
      tags: { "shop/web": tags },
    });
    expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 1 });
    expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 0 });
    expect(ports.published.map(({ type }) => type)).toEqual(["Update Available", "Update Held"]);
    expect(ports.executions.started).toEqual([]);
  });

  test("an image that cannot be read is a problem, said once", async () => {
    const ports = fakePorts({ workloads: [resting("web", "Not/An/Image:1")] });
    expect(await pollCluster(ports)).toMatchObject({ problems: 1, recorded: 1 });
    expect(await pollCluster(ports)).toMatchObject({ problems: 1, recorded: 0 });
    expect(ports.published).toMatchObject([{ type: "Update Held", reason: expect.stringContaining("Not/An/Image:1") }]);
  });
});
