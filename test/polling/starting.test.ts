import { describe, expect, test } from "vitest";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { digest, followed, restarting, restartInFlight, second } from "../support/followed.ts";
import { after, image, inFlight, noon, target } from "../support/workloads.ts";
import { inFlightOf, resting, tags } from "./shop.ts";

const listing = { "shop/web": tags };
const failedOnce = { version: "1.1.0", appliedAt: noon, status: "RolledBack" } as const;

describe("an update", () => {
  test("is started with the input that the machine is written for", async () => {
    const ports = fakePorts({ workloads: [resting("web")], tags: listing });
    await pollCluster(ports);
    const { ref } = resting("web");
    const wanted = { cluster: "production", workload: ref, image: "registry.example/shop/web:1.1.0" };
    expect(ports.executions.started).toEqual([
      {
        name: expect.stringMatching(/^shop-web-1-1-0-\w+$/),
        input: { ...wanted, strategy: "rolling", digests: "", recovering: false },
      },
    ]);
  });

  test("by digest is started as a restart, with what stands behind the tag", async () => {
    const ports = fakePorts({ workloads: [followed()], digests: () => [digest(2)] });
    await pollCluster(ports);
    expect(ports.executions.started).toEqual([
      {
        name: expect.stringMatching(/^shop-app-prod-sha256-0{12}-\w+$/),
        input: {
          cluster: "production",
          workload: followed().ref,
          image: second,
          strategy: "restart",
          digests: `app:${digest(2)}`,
          recovering: false,
        },
      },
    ]);
    expect(ports.published).toMatchObject([{ type: "Update Available", version: `prod@${digest(2)}` }]);
  });

  test.for([
    { of: "a restart", marks: restartInFlight, strategy: "restart" },
    { of: "a canary", marks: { ...restartInFlight, phase: "canary" as const }, strategy: "canary" },
    { of: "a rollback", marks: { ...restartInFlight, phase: "rollback" as const, digests: null }, strategy: "rolling" },
  ])("without a live execution is adopted with its digests: $of", async ({ marks, strategy }) => {
    const ports = fakePorts({ workloads: [restarting({ inFlight: marks, image: second })] });
    await pollCluster(ports);
    const digests = marks.digests === null ? "" : `app:${digest(2)}`;
    expect(ports.executions.started).toMatchObject([{ input: { image: second, strategy, digests, recovering: true } }]);
  });

  test("is started once by two polls at once, and by one poll after another", async () => {
    const ports = fakePorts({ workloads: [resting("web")], tags: listing });
    const reports = await Promise.all([pollCluster(ports), pollCluster(ports)]);
    await pollCluster(ports);
    expect(reports.map(({ started }) => started)).toEqual([1, 1]);
    expect(ports.executions.started).toHaveLength(1);
  });

  test("of which an execution came to nothing is started under the next name", async () => {
    const ports = fakePorts({ workloads: [resting("web")], tags: listing });
    for (const expected of [1, 2, 3]) {
      await pollCluster(ports);
      expect(ports.executions.started).toHaveLength(expected);
      ports.executions.finish(ports.executions.started.at(-1)?.name ?? "");
    }
    expect(new Set(ports.executions.started.map(({ name }) => name)).size).toBe(3);
  });

  test("that was tried before and is to be tried again is another attempt", async () => {
    const first = fakePorts({ workloads: [resting("web")], tags: listing });
    const tried = resting("web", undefined, { bookkeeping: { versionHistory: [failedOnce] } });
    const again = fakePorts({ workloads: [tried], tags: listing });
    await pollCluster(first);
    await pollCluster(again);
    expect(again.executions.started[0]?.name).not.toBe(first.executions.started[0]?.name);
  });

  test("whose executions all end without a trace is reported, and not started for ever", async () => {
    const ports = fakePorts({ workloads: [resting("web")], tags: listing });
    let starts = 0;
    const start = async () => {
      starts += 1;
      return "ended" as const;
    };
    const { failed } = await pollCluster({ ...ports, executions: { ...ports.executions, start } });
    expect(failed).toMatchObject([{ error: "Error", message: expect.stringContaining("shop/web") }]);
    expect(starts).toBe(50);
  });
});

describe("an update in flight", () => {
  const byHand = { ...inFlight, execution: null };

  test("is left to its execution while that runs", async () => {
    const ports = fakePorts({ workloads: [inFlightOf("web")] });
    await ports.executions.start("e-1", {} as never);
    expect(await pollCluster(ports)).toMatchObject({ inFlight: 1, adopted: 0 });
    expect(ports.executions.started).toHaveLength(1);
  });

  test.for([
    { when: "its execution has ended", marks: inFlight, ended: true, parts: {} },
    { when: "its execution is not known", marks: inFlight, ended: false, parts: {} },
    { when: "a person set the marks", marks: byHand, ended: false, parts: {} },
    { when: "a person set the marks before the image", marks: byHand, ended: false, parts: { image } },
    {
      when: "a person set the marks behind an open circuit",
      marks: byHand,
      ended: false,
      parts: { bookkeeping: { circuitOpen: true } },
    },
    {
      when: "a person set a start that cannot be read",
      marks: { ...byHand, startedAt: "malformed" as const },
      ended: false,
      parts: {},
    },
    {
      when: "its rollback was interrupted",
      marks: { ...inFlight, startedAt: "malformed" as const, phase: "rollback" as const },
      ended: true,
      parts: { image },
    },
    { when: "it was switched off", marks: inFlight, ended: true, parts: { policy: { enabled: false } } },
    { when: "it was paused", marks: inFlight, ended: true, parts: { policy: { paused: true } } },
  ])("is adopted where $when, by one execution however many polls see it", async ({ marks, ended, parts }) => {
    const ports = fakePorts({ workloads: [inFlightOf("web", { inFlight: marks, ...parts })] });
    if (ended) {
      await ports.executions.start("e-1", {} as never);
      ports.executions.finish("e-1");
    }
    const reports = await Promise.all([pollCluster(ports), pollCluster(ports)]);
    expect(reports.map(({ adopted }) => adopted)).toEqual([1, 1]);
    const adopting = ports.executions.started.filter(({ name }) => name !== "e-1");
    expect(adopting).toMatchObject([{ input: { image: target, recovering: true } }]);
  });

  test("set by hand a second time is adopted by another execution", async () => {
    const names = [];
    for (const startedAt of [noon, after(60)]) {
      const ports = fakePorts({ workloads: [inFlightOf("web", { inFlight: { ...byHand, startedAt } })] });
      await pollCluster(ports);
      names.push(ports.executions.started[0]?.name);
    }
    expect(names[0]).not.toBe(names[1]);
  });

  test("set by hand where Pawl is switched off is left alone", async () => {
    const seen = inFlightOf("web", { inFlight: byHand, policy: { enabled: false } });
    const ports = fakePorts({ workloads: [seen] });
    expect(await pollCluster(ports)).toMatchObject({ held: 1, adopted: 0, recorded: 0 });
    expect(ports.cluster.get("uid-of-web")).toEqual(seen);
  });

  test("whose image a person changed is no longer in flight; the image stays, and it is said", async () => {
    const ports = fakePorts({ workloads: [inFlightOf("web", { image: "registry.example/shop/app:hotfix" })] });
    expect(await pollCluster(ports)).toMatchObject({ held: 1, adopted: 0, recorded: 1 });
    expect(ports.cluster.get("uid-of-web")).toMatchObject({
      image: "registry.example/shop/app:hotfix",
      inFlight: null,
    });
    expect(ports.cluster.events()).toMatchObject([{ type: "Warning", reason: "AutoUpdateHeld" }]);
  });
});
