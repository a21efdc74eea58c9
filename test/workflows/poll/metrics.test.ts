import { describe, expect, test } from "vitest";
import { unmeasured } from "../../../functions/domain/analysis/judge.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { RepositoryNotFound, Unreachable } from "../../../functions/ports/errors.ts";
import type { WorkloadParts } from "../../support/workloads.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { fakePorts, once } from "../../support/fake-ports.ts";
import { inFlight, noon } from "../../support/workloads.ts";
import { namedUpdatingWorkload, idleWorkload, selecting, tags } from "./fixtures.ts";

test("a poll records metrics about the cluster, itself and its errors", async () => {
  const workloads = [
    idleWorkload("web"),
    idleWorkload("agent", "registry.example/shop/web:1.1.0", {
      ref: { ...idleWorkload("agent").ref, namespace: "agents" },
    }),
    idleWorkload("open", undefined, { updateRecord: { circuitOpen: true }, policy: { paused: true } }),
    idleWorkload("away"),
    idleWorkload("away-too", "registry.example/shop/away:1.0.0"),
    namedUpdatingWorkload("moving"),
  ];
  const away = new Unreachable("no answer");
  const ports = fakePorts({
    workloads,
    tags: { "shop/web": tags, "shop/away": away },
    atMoment: once("before list", () => ports.pass(2.5)),
  });
  await pollCluster(ports);
  // The order of the workloads differs in each poll.
  const gauges = ports.metrics.pending.slice(0, 3);
  expect(gauges).toEqual([
    { name: "pawl_in_flight", value: 1, labels: {} },
    { name: "pawl_oldest_claim_overdue_seconds", value: 0, labels: {} },
    { name: "claw_autoupdate_circuit_open", value: 1, labels: {} },
  ]);
  const [first, second, ...others] = ports.metrics.pending.slice(gauges.length);
  const namespaces = [first, second].toSorted((one, other) => (other?.value ?? 0) - (one?.value ?? 0));
  expect([...namespaces, ...others]).toEqual([
    { name: "claw_autoupdate_checks_total", value: 5, labels: { namespace: "shop" } },
    { name: "claw_autoupdate_checks_total", value: 1, labels: { namespace: "agents" } },
    { name: "pawl_errors_total", value: 2, labels: { error: "Unreachable" } },
    { name: "pawl_workload_errors_total", value: 2, labels: {} },
    { name: "pawl_poll_errors_total", value: 0, labels: {} },
    { name: "pawl_polls_total", value: 1, labels: {} },
    { name: "pawl_poll_duration_seconds", value: 2.5, labels: {} },
  ]);
});

describe("errors are of workloads or of the poll", () => {
  /** Polls healthy workloads, and others whose repository is missing or whose registry does not answer. */
  async function countErrors({ healthy, missing = 0, away = 0 }: { healthy: number; missing?: number; away?: number }) {
    const many = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) =>
        idleWorkload(`${name}-${index}`, `registry.example/shop/${name}:1.0.0`),
      );
    const workloads = [...many(healthy, "web"), ...many(missing, "missing"), ...many(away, "away")];
    const missingError = new RepositoryNotFound("shop/missing: 404");
    const answers = { "shop/web": tags, "shop/missing": missingError, "shop/away": new Unreachable("no answer") };
    const ports = fakePorts({ workloads, tags: answers });
    const report = await pollCluster(ports);
    const valueOf = (name: string) => ports.metrics.pending.find((one) => one.name === name)?.value ?? 0;
    return { report, ofWorkloads: valueOf("pawl_workload_errors_total"), ofPoll: valueOf("pawl_poll_errors_total") };
  }

  test.for([
    { when: "none fails", given: { healthy: 3 }, ofWorkloads: 0, ofPoll: 0 },
    { when: "one is broken", given: { healthy: 0, away: 1 }, ofWorkloads: 1, ofPoll: 0 },
    { when: "two of a few are broken", given: { healthy: 1, missing: 2 }, ofWorkloads: 2, ofPoll: 0 },
    { when: "three of a few fail for one cause", given: { healthy: 1, away: 3 }, ofWorkloads: 0, ofPoll: 3 },
    { when: "three of a few are refused for one cause", given: { healthy: 1, missing: 3 }, ofWorkloads: 0, ofPoll: 3 },
    { when: "two fail for each of two causes", given: { healthy: 1, missing: 2, away: 2 }, ofWorkloads: 4, ofPoll: 0 },
    { when: "a tenth of many fails", given: { healthy: 45, away: 5 }, ofWorkloads: 5, ofPoll: 0 },
    { when: "more than a tenth of many fails", given: { healthy: 45, away: 6 }, ofWorkloads: 0, ofPoll: 6 },
    {
      when: "one cause is common, another is not",
      given: { healthy: 3, missing: 1, away: 3 },
      ofWorkloads: 1,
      ofPoll: 3,
    },
  ])("$when: $ofWorkloads and $ofPoll", async ({ given, ofWorkloads, ofPoll }) => {
    expect(await countErrors(given)).toMatchObject({ ofWorkloads, ofPoll });
  });

  test("what a registry refuses is a problem that the owner of the workload sees; no answer is none", async () => {
    const { report } = await countErrors({ healthy: 0, missing: 1, away: 1 });
    expect(report).toMatchObject({ problems: 1, recorded: 1, failures: 1, failed: [{ error: "Unreachable" }] });
  });
});

describe("the oldest claim is overdue", () => {
  const startedAgo = (minutesAgo: number, parts: WorkloadParts = {}): WorkloadParts => ({
    inFlight: { ...inFlight, startedAt: new Date(noon.getTime() - minutesAgo * 60_000) },
    ...parts,
  });
  const minutesAgo = (minutes: number) => new Date(noon.getTime() - minutes * 60_000);
  /** An update that bakes for 30 minutes. */
  const baking = (minutes: number, measuredMinutesAgo?: number): WorkloadParts => ({
    inFlight: {
      ...inFlight,
      startedAt: minutesAgo(90),
      observation: { kind: "baking", since: minutesAgo(minutes) },
    },
    policy: { bake: { seconds: 1800 } },
    analysis:
      measuredMinutesAgo === undefined
        ? null
        : measure(startAnalysis(minutesAgo(minutes)), "errors", unmeasured(""), minutesAgo(measuredMinutesAgo)),
  });
  test.for<{ when: string; claims: WorkloadParts[]; seconds: number }>([
    { when: "nothing is in flight", claims: [], seconds: 0 },
    { when: "its health timeout has not expired", claims: [startedAgo(9)], seconds: 0 },
    { when: "its health timeout has just expired", claims: [startedAgo(10)], seconds: 0 },
    { when: "its health timeout has expired", claims: [startedAgo(11)], seconds: 60 },
    {
      when: "several health timeouts have expired",
      claims: [startedAgo(11), startedAgo(15), startedAgo(12)],
      seconds: 300,
    },
    {
      when: "the workload sets a longer timeout",
      claims: [startedAgo(15, { policy: { healthTimeoutSeconds: 870 } })],
      seconds: 30,
    },
    { when: "it has not baked for as long as it must", claims: [baking(39)], seconds: 0 },
    { when: "it has baked for longer, and longer than the health timeout", claims: [baking(41)], seconds: 60 },
    { when: "it was measured later", claims: [baking(60, 11)], seconds: 60 },
    {
      when: "its start time is malformed",
      claims: [{ inFlight: { ...inFlight, startedAt: "malformed" } }],
      seconds: 0,
    },
  ])("by $seconds seconds if $when", async ({ claims, seconds }) => {
    const ports = fakePorts({ workloads: claims.map((parts, index) => namedUpdatingWorkload(`w-${index}`, parts)) });
    await pollCluster(ports);
    const overdue = ports.metrics.pending.find(({ name }) => name === "pawl_oldest_claim_overdue_seconds");
    expect(overdue?.value).toBe(seconds);
  });
});

test("a poll of selected workloads records neither gauges nor the heartbeat", async () => {
  const ports = fakePorts({ workloads: [idleWorkload("web"), idleWorkload("api")], tags: { "shop/web": tags } });
  await pollCluster(ports, selecting("web"));
  expect(ports.metrics.pending.map(({ name, value }) => [name, value])).toEqual([
    ["claw_autoupdate_checks_total", 1],
    ["pawl_poll_errors_total", 0],
  ]);
});

test("a poll that is interrupted records an error and no heartbeat", async () => {
  const interrupt = once("before list", () => {
    throw new Unreachable("no answer");
  });
  const ports = fakePorts({ atMoment: interrupt });
  await expect(pollCluster(ports)).rejects.toBeInstanceOf(Unreachable);
  expect(ports.metrics.pending).toEqual([{ name: "pawl_poll_errors_total", value: 1, labels: {} }]);
});

test("a poll records how old the oldest trusted root is", async () => {
  const ports = fakePorts({ workloads: [] });
  const oldestRoot = new Date(noon.getTime() - 91.5 * 86_400_000);
  await pollCluster({ ...ports, verifier: { ...ports.verifier, oldestRoot } });
  expect(ports.metrics.pending).toContainEqual({ name: "pawl_trusted_root_age_days", value: 91, labels: {} });
});
