import { describe, expect, test } from "vitest";
import { createMemoryMetrics } from "../../../functions/adapters/memory-metrics.ts";
import {
  createLossReporter,
  reportLostEvents,
  reportLostPoolEvents,
  reportLostPublishes,
} from "../../../functions/runtime/report-lost-events.ts";
import { createInProcessPoolCheckRecorder } from "../../../functions/workflows/node-pool-rollout/record-status.ts";
import { createInProcessCheckRecorder } from "../../../functions/workflows/poll/record/record-check.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import { completeRollout, workload } from "../../support/workloads.ts";
import { createPoolFixture } from "../node-pool/node-pool-fixtures.ts";
import { runUntilComplete as runPools } from "../node-pool/run-node-pool-rollout.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import { problemsOf } from "../../support/problems.ts";

type Sink = "bus" | "kubernetes";
type Warning = Readonly<Record<string, unknown>>;

const refuse = () => Promise.reject(new TypeError("refused"));

/** Returns the ports as a function has them, with a bus, or Events of the cluster, that refuse everything. */
function refusing(ports: FakePorts, sinks: readonly Sink[]) {
  const metrics = createMemoryMetrics();
  const warnings: Warning[] = [];
  const report = createLossReporter(metrics, (message, about) => void warnings.push({ message, ...about }));
  const { cluster, nodePools, events } = ports;
  const emits = sinks.includes("kubernetes") ? { emitEvent: refuse } : {};
  const publishes = sinks.includes("bus") ? { publish: refuse, publishPool: refuse } : {};
  const decorated = {
    ...ports,
    cluster: reportLostEvents({ ...cluster, ...emits }, report),
    nodePools: reportLostPoolEvents({ ...nodePools, ...emits }, report),
    events: reportLostPublishes({ ...events, ...publishes }, report),
  };
  const checkRecorder = createInProcessCheckRecorder(decorated);
  const poolCheckRecorder = createInProcessPoolCheckRecorder(decorated);
  return { ports: { ...decorated, checkRecorder, poolCheckRecorder }, metrics, warnings };
}

const repository = "registry.example/shop/app";
const tags = { "shop/app": ["1.0.0", "1.1.0", "1.2.0"] };
const app = workload({ policy: { healthTimeoutSeconds: 60, schedule: null, onFailure: "tryOlder" } });

describe.for<readonly Sink[]>([["bus"], ["kubernetes"], ["bus", "kubernetes"]])("if %s refuses everything", (sinks) => {
  test.for([
    { when: "a good version", broken: [], runs: "1.2.0", history: ["1.2.0 Healthy"], rollbackCount: 0 },
    {
      when: "a bad version",
      broken: ["1.2.0"],
      runs: "1.1.0",
      history: ["1.2.0 RolledBack", "1.1.0 Healthy"],
      rollbackCount: 0,
    },
    {
      when: "bad versions only",
      broken: ["1.1.0", "1.2.0"],
      runs: "1.0.0",
      history: ["1.2.0 RolledBack", "1.1.0 RolledBack"],
      rollbackCount: 2,
    },
  ])("$when: $history", async ({ broken, runs, history, rollbackCount }) => {
    const fake = fakePorts({
      workloads: [{ ...app, rollout: { ...completeRollout, image: `${repository}:1.0.0` } }],
      tags,
      broken: new Set(broken.map((version) => `${repository}:${version}`)),
    });
    const { ports, metrics, warnings } = refusing(fake, sinks);
    await runUntilComplete(ports);
    const { rollout, inFlight, updateRecord } = fake.cluster.get();
    expect({ runs: rollout?.image, inFlight }).toEqual({ runs: `${repository}:${runs}`, inFlight: null });
    expect(updateRecord.versionHistory.map(({ version, status }) => `${version} ${status}`)).toEqual(history);
    expect(updateRecord).toMatchObject({ circuitOpen: false, rollbackCount });
    expect(fake.published.length === 0).toBe(sinks.includes("bus"));
    expect(fake.cluster.events().length === 0).toBe(sinks.includes("kubernetes"));
    expect(warnings).toHaveLength(metrics.pending.length);
  });

  test("a node pool is rolled out", async () => {
    const { ports: fake, names, stepAgents } = createPoolFixture();
    const { ports, metrics } = refusing(fake, sinks);
    await runPools(ports, stepAgents);
    const recorded = names.map(
      (name) => fake.nodePools.node(name).bootcNode?.emittedEvents?.startsWith("staged=") ?? false,
    );
    expect(new Set(recorded)).toEqual(new Set([!sinks.includes("kubernetes")]));
    const [pool] = await fake.nodePools.list();
    expect(pool).toMatchObject({ execution: null, status: { updatedCount: names.length } });
    expect(new Set(metrics.pending.map(({ name, labels }) => [name, labels["sink"]].join(" ")))).toEqual(
      new Set(sinks.map((sink) => `pawl_events_lost_total ${sink}`)),
    );
  });

  test("a poll records what it found", async () => {
    const fake = fakePorts({ workloads: [workload({ problems: problemsOf("schedule: what?") })], tags });
    const { ports, warnings } = refusing(fake, sinks);
    await runUntilComplete(ports);
    expect(fake.cluster.get().lastReported.problem).toBe("schedule: what?");
    expect(warnings).toHaveLength(sinks.length);
  });
});

test("a lost event is logged with its execution", async () => {
  const fake = fakePorts({ workloads: [app], tags });
  const { ports, warnings } = refusing(fake, ["bus", "kubernetes"]);
  await runUntilComplete(ports);
  const { execution } = fake.cluster.get().updateRecord.versionHistory[0] ?? {};
  const lost = { message: "event lost", failure: "TypeError", reason: "refused" };
  expect(warnings).toContainEqual({ ...lost, sink: "bus", type: "Update Succeeded", execution, about: app.ref });
  expect(warnings).toContainEqual({
    ...lost,
    sink: "kubernetes",
    type: "AutoUpdateComplete",
    text: `Updated to ${repository}:1.2.0 (execution ${execution})`,
    about: app.ref,
  });
});

describe.for([
  { when: "a good version", broken: [], lost: ["AutoUpdateStarting", "AutoUpdateComplete"] },
  {
    when: "a version that opens the circuit",
    broken: ["1.2.0"],
    lost: ["AutoUpdateStarting", "AutoUpdateRollback", "AutoUpdateCircuitOpen"],
  },
])("if one Event of $when is lost", ({ broken, lost }) => {
  const policy = { healthTimeoutSeconds: 60, schedule: null, maxRollbacks: 1 };
  const initial = workload({ policy, rollout: { ...completeRollout, image: `${repository}:1.0.0` } });

  test.for(lost)("%s is written by a later step or by the next poll, once", async (reason) => {
    let losses = 1;
    const fake = fakePorts({
      workloads: [initial],
      tags: { "shop/app": ["1.0.0", "1.2.0"] },
      broken: new Set(broken.map((version) => `${repository}:${version}`)),
    });
    const { cluster } = fake;
    const emitEvent: typeof cluster.emitEvent = (about, event) =>
      event.reason === reason && losses-- > 0 ? refuse() : cluster.emitEvent(about, event);
    const { ports, warnings } = refusing({ ...fake, cluster: { ...cluster, emitEvent } }, []);
    await runUntilComplete(ports);
    await runUntilComplete(ports);
    expect(warnings).toMatchObject([{ type: reason }]);
    const keys = cluster.events().map((event) => event.reason);
    expect(keys.filter((key) => lost.includes(key)).toSorted()).toEqual(lost.toSorted());
    const published = new Map(fake.published.map(({ type, execution }) => [`${type} ${execution}`, type]));
    expect(fake.published).toHaveLength(published.size);
  });
});
