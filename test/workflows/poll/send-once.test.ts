import { describe, expect, test } from "vitest";
import { hold } from "../../../functions/domain/workload/decision/decision.ts";
import type { DailyDigest, DigestReport } from "../../../functions/domain/notification/daily-digest.ts";
import { recordCheck } from "../../../functions/handlers/record-check.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { sendDigests } from "../../../functions/workflows/poll/send-digests.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { after, workload } from "../../support/workloads.ts";

const report: DigestReport = {
  target: "team",
  date: "2026-11-20",
  held: [{ kind: "Deployment", namespace: "shop", name: "web", version: "1.1.0", since: null, gates: ["approval: x"] }],
  more: 3,
};

type Options = Parameters<typeof fakePorts>[0];

/** Throws once, at this moment. */
function killedAt(moment: string): Options {
  let isKilled = false;
  return {
    atMoment: (at) => {
      if (at !== moment || isKilled) return;
      isKilled = true;
      throw new Error("killed");
    },
  };
}

describe("a digest", () => {
  test("is sent once for each day", async () => {
    const ports = fakePorts({});
    for (let poll = 0; poll < 3; poll += 1) await sendDigests(ports, [report]);
    expect(ports.publishedClusterEvents).toEqual([
      {
        type: "Daily Digest",
        cluster: "production",
        reason: "Deployment shop/web to 1.1.0 is held: approval: x\nand 3 more",
        ...report,
      },
    ]);
    await sendDigests(ports, [{ ...report, date: "2026-11-21" }]);
    expect(ports.publishedClusterEvents).toHaveLength(2);
  });

  test("without anything held is noted, and not sent", async () => {
    const ports = fakePorts({});
    await sendDigests(ports, [{ ...report, held: [], more: 0 }]);
    await sendDigests(ports, [report]);
    expect(ports.publishedClusterEvents).toEqual([]);
  });

  test("is sent once if two polls overlap", async () => {
    for (let round = 0; round < 20; round += 1) {
      const ports = fakePorts({});
      await Promise.allSettled([1, 2, 3].map(() => sendDigests(ports, [report])));
      expect(ports.publishedClusterEvents).toHaveLength(1);
    }
  });

  test.for([
    { moment: "before readNotes", sent: 1 },
    { moment: "before writeNotes", sent: 1 },
    { moment: "after writeNotes", sent: 1 },
    { moment: "before publishCluster", sent: 1 },
    // It cannot be known whether it was published.
    { moment: "after publishCluster", sent: 2 },
  ])("is not lost if the function is killed $moment", async ({ moment, sent }) => {
    const ports = fakePorts(killedAt(moment));
    await expect(sendDigests(ports, [report])).rejects.toThrow("killed");
    for (let poll = 0; poll < 4; poll += 1) {
      await sendDigests(ports, [report]);
      ports.pass(301);
    }
    expect(ports.publishedClusterEvents).toHaveLength(sent);
  });

  test("is not sent without a Lease, which would remember it", async () => {
    const ports = fakePorts({});
    const ownPollLease = { ...ports.ownPollLease, readNotes: async () => null };
    await sendDigests({ ...ports, ownPollLease }, [report]);
    expect(ports.publishedClusterEvents).toEqual([]);
  });
});

describe("a poll", () => {
  const digest: DailyDigest = {
    name: "team",
    at: "08:00",
    timeZone: "UTC",
    namespaces: null,
    workloads: null,
    onlyNamed: false,
  };
  const gate = { name: "circuit", reason: "CircuitOpen", message: "the circuit is open", liftedBy: "pawl reset" };
  const held = { ...workload({ updateRecord: { circuitOpen: true } }), gates: [{ ...gate, since: after(-60) }] };

  async function pollWith(sent: Record<string, string> | undefined, fail = false) {
    const ports = fakePorts({ workloads: [held] });
    const reports: DigestReport[] = [];
    const digests = {
      targets: [digest],
      send: async (some: readonly DigestReport[]) => {
        if (fail) throw new Error("no answer");
        reports.push(...some);
      },
    };
    const acquire = async () =>
      sent === undefined
        ? ({ kind: "absent" } as const)
        : ({ kind: "held", takenOverFrom: null, digests: sent } as const);
    const pollLease = { ...ports.pollLease, acquire };
    const polled = await pollCluster({ ...ports, digests, pollLease });
    return { reports, polled, metrics: ports.metrics };
  }

  test.for<[string, Record<string, string> | undefined, number]>([
    ["sends what is due", {}, 1],
    ["sends what was sent yesterday", { team: "2026-11-19" }, 1],
    ["sends nothing twice a day", { team: "2026-11-20" }, 0],
    ["sends nothing without a Lease", undefined, 0],
  ])("%s", async ([, sent, count]) => {
    const { reports } = await pollWith(sent);
    expect(reports.flatMap((one) => one.held.map(({ name }) => name))).toHaveLength(count);
  });

  test("continues if a digest cannot be sent, and counts that", async () => {
    const { polled, metrics } = await pollWith({}, true);
    expect(polled.evaluated).toBe(1);
    expect(JSON.stringify(metrics)).toContain("pawl_errors_total");
  });
});

describe("a change of the freezes", () => {
  const release = (ports: ReturnType<typeof fakePorts>) =>
    recordCheck(ports, { cluster: "production", lease: { verb: "release", poll: "p" } });
  const eventsOf = ({ cluster }: ReturnType<typeof fakePorts>) =>
    cluster.events().flatMap(({ reason, message }) => (reason === "AutoUpdateFreeze" ? [message] : []));

  test("is one Event and one event on the bus, of nobody", async () => {
    let freeze: string | null = "- {reason: incident 7, by: anna}";
    const ports = fakePorts({ freeze: () => freeze });
    await release(ports);
    await release(ports);
    freeze = null;
    await release(ports);
    await release(ports);
    const texts = ["frozen: incident 7, by anna, as it says", "no longer frozen: incident 7, by anna, as it says"];
    expect(eventsOf(ports)).toEqual(texts.map((text) => `ConfigMap pawl-freeze: ${text}`));
    expect(ports.publishedClusterEvents.map(({ type, audit }) => [type, audit?.by, audit?.what])).toEqual(
      texts.map((text) => ["Freezes Changed", "unknown", text]),
    );
  });

  test("is reported if the ConfigMap is invalid by now", async () => {
    const ports = fakePorts({ freeze: () => "reason: x" });
    await release(ports);
    expect(eventsOf(ports)).toEqual([expect.stringContaining("frozen: invalid: ConfigMap pawl-freeze: ")]);
  });

  test("is nothing if it must not be read, or there is no Lease", async () => {
    const ports = fakePorts({ freeze: () => "- reason: x" });
    const readFreeze = async () => ({ kind: "unreadable", reason: "forbidden" }) as const;
    await release({ ...ports, cluster: { ...ports.cluster, readFreeze } });
    await release({ ...ports, ownPollLease: { ...ports.ownPollLease, readNotes: async () => null } });
    expect(eventsOf(ports)).toEqual([]);
  });

  test.for(["before readFreeze", "after writeNotes", "before emitFreezeEvent", "after publishCluster"])(
    "releases the Lease if it is killed %s, and is not lost",
    async (moment) => {
      const ports = fakePorts({ freeze: () => "- reason: x", ...killedAt(moment) });
      const calls: string[] = [];
      const ownPollLease = { ...ports.ownPollLease, release: async (poll: string) => void calls.push(poll) };
      await expect(release({ ...ports, ownPollLease })).rejects.toThrow("killed");
      expect(calls).toEqual(["p"]);
      for (let poll = 0; poll < 3; poll += 1) {
        ports.pass(301);
        await release(ports);
      }
      expect(eventsOf(ports)).toHaveLength(1);
    },
  );
});

test("the time since when a gate is closed stays as it was recorded", async () => {
  const ports = fakePorts({ workloads: [workload({ updateRecord: { circuitOpen: true, currentVersion: "1.0.0" } })] });
  const decision = hold("circuit-open", "the circuit is open");
  await ports.checkRecorder.record(ports.cluster.get(), decision);
  const [first] = ports.cluster.get().gates ?? [];
  ports.pass(3600);
  await ports.checkRecorder.record(ports.cluster.get(), { ...decision, detail: "again" });
  expect(first?.since).toEqual(new Date("2026-11-20T12:00:00Z"));
  expect(ports.cluster.get().gates?.[0]?.since).toEqual(first?.since);
});
