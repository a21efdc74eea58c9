import { expect, test } from "vitest";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import { target } from "../../support/workloads.ts";
import { namedUpdatingWorkload } from "./fixtures.ts";

const uid = "uid-of-web";
const bug = { error: "UpdateFailed", cause: "undefined is not a function" };

/** Ends each execution with an unexpected error, until no more is started. Returns how many were. */
async function failUntilStalled(ports: FakePorts): Promise<number> {
  const before = ports.executions.started.length;
  for (let minute = 0; minute < 30; minute += 1) {
    await pollCluster(ports);
    for (const { name } of ports.executions.running()) {
      ports.executions.fail(name, bug);
      const stalled = ports.cluster.get(uid);
      if (stalled?.inFlight) ports.cluster.put({ ...stalled, inFlight: { ...stalled.inFlight, execution: name } });
    }
    ports.pass(60);
  }
  return ports.executions.started.length - before;
}

/** Returns ports with a claim on 1.1.0, and their registry. */
function createFixture() {
  const tags = { "shop/app": ["1.0.0", "1.1.0"] as readonly string[] };
  const workload = namedUpdatingWorkload("web", { updateRecord: { availableVersion: "1.1.0" } });
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
      updateRecord: { availableVersion: newer },
      lastReported: { held: null },
      inFlight: { targetImage: target },
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
