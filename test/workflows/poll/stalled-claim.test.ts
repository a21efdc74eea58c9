import { describe, expect, test } from "vitest";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import {
  digest,
  digestWorkload,
  restartInFlight,
  restartingWorkload,
  tagAndDigestWorkload,
} from "../../support/digest-workloads.ts";
import { noon, updateTarget } from "../../support/workloads.ts";
import { namedUpdatingWorkload } from "./fixtures.ts";
import { requestOf } from "../../support/request-of.ts";

const uid = "uid-of-web";
const bug = { error: "UpdateFailed", cause: "undefined is not a function" };

/** Ends each execution with an unexpected error, until no more is started. Returns how many were. */
async function failUntilStalled(ports: FakePorts, id = uid): Promise<number> {
  const before = ports.executions.started.length;
  for (let minute = 0; minute < 30; minute += 1) {
    await pollCluster(ports);
    for (const { name } of ports.executions.running()) {
      ports.executions.fail(name, bug);
      const stalled = ports.cluster.get(id);
      if (stalled?.inFlight) ports.cluster.put({ ...stalled, inFlight: { ...stalled.inFlight, execution: name } });
    }
    ports.pass(60);
  }
  return ports.executions.started.length - before;
}

/** Returns ports with a claim on 1.1.0, and their registry. */
function createFixture() {
  const tags = { "shop/app": ["1.0.0", "1.1.0"] as readonly string[] };
  const workload = namedUpdatingWorkload("web", { updateRecord: { candidateVersion: "1.1.0" } });
  return { ports: fakePorts({ workloads: [workload], tags }), tags };
}

test("a stalled claim is tried again once for each newer version, and its Event is emitted once", async () => {
  const { ports, tags } = createFixture();
  expect(await failUntilStalled(ports)).toBe(3);
  expect(ports.cluster.get(uid)).toMatchObject({ backOff: { reason: "Failed", attempts: 3 } });
  expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 0, failures: 0 });
  for (const newer of ["1.2.0", "1.3.0"]) {
    tags["shop/app"] = [...tags["shop/app"], newer];
    expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 1 });
    expect(ports.cluster.get(uid)).toMatchObject({
      backOff: { attempts: 1 },
      updateRecord: { candidateVersion: newer },
      lastReported: { held: null },
      inFlight: { target: updateTarget },
    });
    expect(await failUntilStalled(ports)).toBe(2);
    expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 0 });
  }
  const available = ports.published.filter(({ type }) => type === "Update Available");
  expect(available.map(({ version }) => version)).toEqual(["1.2.0", "1.3.0"]);
});

test.for([
  { what: "a version that is not newer", tags: ["0.9.0", "1.0.0"] },
  { what: "only its target", tags: ["1.1.0"] },
  { what: "no tags", tags: [] },
])("a stalled claim stays if the registry lists $what", async ({ tags: listed }) => {
  const { ports, tags } = createFixture();
  await failUntilStalled(ports);
  tags["shop/app"] = listed;
  expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 0, failures: 0 });
  expect(ports.cluster.get(uid)).toMatchObject({ backOff: { attempts: 3 } });
});

describe("a stalled restart for a digest", () => {
  const both = tagAndDigestWorkload({
    inFlight: {
      ...restartInFlight,
      target: { kind: "digest", image: "registry.example/shop/app:1.0.0", digest: digest(2) },
    },
    restartedAt: noon,
    updateRecord: { candidateVersion: `1.0.0@${digest(2)}` },
    digests: { deployed: { app: digest(2) }, previous: [{ app: digest(1) }] },
  });

  async function stall(workload: Workload) {
    const registry = { newest: 2, tags: { "shop/app": ["1.0.0"] } };
    const ports = fakePorts({ workloads: [workload], tags: registry.tags, digests: () => [digest(registry.newest)] });
    expect(await failUntilStalled(ports, "u-1")).toBe(3);
    expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 0, failures: 0 });
    return { ports, registry };
  }

  test.for([
    { tracks: "its digest alone", workload: restartingWorkload() },
    { tracks: "its tag and its digest", workload: both },
  ])("of a workload that tracks $tracks is tried again once for each newer one", async ({ workload }) => {
    const { ports, registry } = await stall(workload);
    for (const newer of [3, 4]) {
      registry.newest = newer;
      expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 1 });
      expect(ports.cluster.get("u-1")).toMatchObject({ backOff: { attempts: 1 }, lastReported: { held: null } });
      expect(await failUntilStalled(ports, "u-1")).toBe(2);
      expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 0 });
    }
  });

  test("is tried again for a newer tag", async () => {
    const { ports, registry } = await stall(both);
    registry.tags["shop/app"] = ["1.0.0", "1.1.0"];
    expect(await pollCluster(ports)).toMatchObject({ held: 1, recorded: 1 });
    expect(ports.cluster.get("u-1")).toMatchObject({
      backOff: { attempts: 1 },
      updateRecord: { candidateVersion: "1.1.0" },
    });
  });

  test.for(["retry", "retry prod", "reset"])("is tried again at once after the request %s", async (request) => {
    const { ports } = await stall(restartingWorkload());
    await ports.cluster.request(ports.cluster.get("u-1"), requestOf(`${request} t-1`));
    expect(await pollCluster(ports)).toMatchObject({ adopted: 1, held: 0 });
    expect(ports.cluster.get("u-1")).toMatchObject({ backOff: { attempts: 1 }, lastRequest: { token: "t-1" } });
    expect(ports.cluster.get("u-1").lastRequest?.result).not.toMatch(/^refused/);
  });

  test("that no claim holds, is tried again for a newer one, and after a request", async () => {
    const backOff = {
      reason: "Failed" as const,
      message: "a bug",
      target: restartInFlight.target,
      attempts: 3,
      until: noon,
      execution: null,
    };
    for (const { newest, request } of [
      { newest: 3 },
      { newest: 2, request: "retry t-1" },
      { newest: 2, request: "reset t-1" },
    ]) {
      const ports = fakePorts({ workloads: [digestWorkload({ backOff })], digests: () => [digest(newest)] });
      if (request !== undefined) await ports.cluster.request(ports.cluster.get("u-1"), requestOf(request));
      expect(await pollCluster(ports)).toMatchObject({ started: 1, held: 0 });
    }
  });
});
