import { describe, expect, test } from "vitest";
import { Unreachable } from "../../functions/adapters/errors.ts";
import type { WorkloadParts } from "../support/workloads.ts";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import { fakePorts, once } from "../support/fake-ports.ts";
import { inFlight, noon } from "../support/workloads.ts";
import { inFlightOf, resting, tags } from "./shop.ts";

test("a poll says what it saw, of itself, and why it failed", async () => {
  const workloads = [
    resting("web"),
    resting("agent", "registry.example/shop/web:1.1.0", { ref: { ...resting("agent").ref, namespace: "agents" } }),
    resting("open", undefined, { bookkeeping: { circuitOpen: true }, policy: { paused: true } }),
    resting("away"),
    resting("away-too", "registry.example/shop/away:1.0.0"),
    inFlightOf("moving"),
  ];
  const away = new Unreachable("no answer");
  const ports = fakePorts({
    workloads,
    tags: { "shop/web": tags, "shop/away": away },
    atMoment: once("before list", () => ports.pass(2.5)),
  });
  await pollCluster(ports);
  // Which workload has its turn first is another one at each poll.
  const [first, second, ...others] = ports.metrics.pending;
  const namespaces = [first, second].toSorted((one, other) => (other?.value ?? 0) - (one?.value ?? 0));
  expect([...namespaces, ...others]).toEqual([
    { name: "claw_autoupdate_checks_total", value: 5, labels: { namespace: "shop" } },
    { name: "claw_autoupdate_checks_total", value: 1, labels: { namespace: "agents" } },
    { name: "pawl_errors_total", value: 2, labels: { error: "Unreachable" } },
    { name: "pawl_poll_errors_total", value: 2, labels: {} },
    { name: "pawl_polls_total", value: 1, labels: {} },
    { name: "pawl_poll_duration_seconds", value: 2.5, labels: {} },
    { name: "pawl_in_flight", value: 1, labels: {} },
    { name: "pawl_oldest_claim_overdue_seconds", value: 0, labels: {} },
    { name: "claw_autoupdate_circuit_open", value: 1, labels: {} },
  ]);
});

describe("the oldest claim is overdue", () => {
  const of = (minutesAgo: number, parts: WorkloadParts = {}): WorkloadParts => ({
    inFlight: { ...inFlight, startedAt: new Date(noon.getTime() - minutesAgo * 60_000) },
    ...parts,
  });
  test.for<{ when: string; claims: WorkloadParts[]; seconds: number }>([
    { when: "nothing is in flight", claims: [], seconds: 0 },
    { when: "it has time left", claims: [of(9)], seconds: 0 },
    { when: "its time is just over", claims: [of(10)], seconds: 0 },
    { when: "it is late", claims: [of(11)], seconds: 60 },
    { when: "several are late", claims: [of(11), of(15), of(12)], seconds: 300 },
    { when: "its own timeout is longer", claims: [of(15, { policy: { healthTimeoutSeconds: 870 } })], seconds: 30 },
    { when: "its start cannot be read", claims: [{ inFlight: { ...inFlight, startedAt: "malformed" } }], seconds: 0 },
  ])("by $seconds seconds where $when", async ({ claims, seconds }) => {
    const ports = fakePorts({ workloads: claims.map((parts, index) => inFlightOf(`w-${index}`, parts)) });
    await pollCluster(ports);
    const overdue = ports.metrics.pending.find(({ name }) => name === "pawl_oldest_claim_overdue_seconds");
    expect(overdue?.value).toBe(seconds);
  });
});

test("a poll of a part says nothing of the whole, and is no heartbeat", async () => {
  const ports = fakePorts({ workloads: [resting("web"), resting("api")], tags: { "shop/web": tags } });
  await pollCluster(ports, { wanted: ({ ref }) => ref.name === "web" });
  expect(ports.metrics.pending.map(({ name, value }) => [name, value])).toEqual([
    ["claw_autoupdate_checks_total", 1],
    ["pawl_poll_errors_total", 0],
  ]);
});

test("a poll that breaks off is an error and no heartbeat", async () => {
  const breaks = once("before list", () => {
    throw new Unreachable("no answer");
  });
  const ports = fakePorts({ atMoment: breaks });
  await expect(pollCluster(ports)).rejects.toBeInstanceOf(Unreachable);
  expect(ports.metrics.pending).toEqual([{ name: "pawl_poll_errors_total", value: 1, labels: {} }]);
});
