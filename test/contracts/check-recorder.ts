import { describe, expect, test } from "vitest";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { CheckDecision, CheckRecorder } from "../../functions/ports/check-recorder.ts";
import type { FakePorts } from "../support/fake-ports.ts";
import { workload, updateTarget } from "../support/workloads.ts";
import { problemsOf } from "../support/problems.ts";

export interface CheckRecorderUnderTest {
  readonly checks: CheckRecorder;
  /** The ports to which it writes and publishes. */
  readonly ports: FakePorts;
}

const problem: CheckDecision = { kind: "problem", problems: problemsOf("schedule: what?") };
const update: CheckDecision = { kind: "update", target: updateTarget };
const circuitOpen: CheckDecision = {
  kind: "hold",
  reason: "circuit-open",
  detail: "open: 1.1.0",
  target: updateTarget,
};
const upToDate: CheckDecision = {
  kind: "hold",
  reason: "no-newer-version",
  detail: "nothing newer",
  target: null,
};

/** The behaviour of every implementation of the port. `prepare` creates one with a cluster of these workloads. */
export function checkRecorderContract(
  prepare: (workloads: readonly Workload[]) => Promise<CheckRecorderUnderTest>,
): void {
  describe("a check recorder", () => {
    test.for([
      {
        decided: "a problem",
        decision: problem,
        published: ["Update Held"],
        expected: { lastReported: { problem: "schedule: what?" } },
      },
      {
        decided: "a version behind an open circuit",
        decision: circuitOpen,
        published: ["Update Available", "Update Held"],
        expected: { updateRecord: { candidateVersion: "1.1.0" }, lastReported: { held: "open: 1.1.0" } },
      },
      {
        decided: "an update",
        decision: update,
        published: ["Update Available"],
        expected: { updateRecord: { candidateVersion: null } },
      },
      {
        decided: "that nothing is newer, with the current version unknown",
        decision: upToDate,
        published: [],
        expected: { updateRecord: { currentVersion: "1.0.0" } },
      },
    ])("records $decided", async ({ decision, published, expected }) => {
      const { checks, ports } = await prepare([workload()]);
      expect(await checks.record(workload(), decision)).toBe("recorded");
      expect(ports.published.map(({ type }) => type)).toEqual(published);
      expect(ports.cluster.events()).toHaveLength(published.length);
      expect(ports.cluster.get()).toMatchObject(expected);
    });

    test.for([
      {
        decided: "a problem that is already recorded",
        parts: { lastReported: { held: null, problem: "schedule: what?" } },
        decision: problem,
      },
      {
        decided: "a version that is already recorded",
        parts: { updateRecord: { candidateVersion: "1.1.0" } },
        decision: update,
      },
      {
        decided: "that nothing is newer, as before",
        parts: {
          updateRecord: { currentVersion: "1.0.0" },
          evaluated: { state: "UpToDate", reason: "NewestVersion", message: "nothing newer" } as const,
        },
        decision: upToDate,
      },
    ])("returns none for $decided", async ({ parts, decision }) => {
      const recorded = workload(parts);
      const { checks, ports } = await prepare([recorded]);
      expect(await checks.record(recorded, decision)).toBe("none");
      expect(ports.published).toEqual([]);
      expect(ports.cluster.get()).toEqual(recorded);
    });

    test("records a decision once", async () => {
      const { checks, ports } = await prepare([workload()]);
      await checks.record(workload(), problem);
      const recorded = ports.cluster.get();
      expect(await checks.record(recorded, problem)).toBe("none");
      expect(ports.cluster.get()).toEqual(recorded);
      expect(ports.published).toHaveLength(1);
    });

    test("writes nothing if the workload has changed since it was read", async () => {
      const { checks, ports } = await prepare([workload()]);
      ports.cluster.put(workload());
      const changed = ports.cluster.get();
      await expect(checks.record(workload(), problem)).rejects.toMatchObject({ name: "Conflict" });
      expect(ports.cluster.get()).toEqual(changed);
      expect(ports.published).toEqual([]);
    });

    test("records many workloads at the same time; one that has changed affects no other", async () => {
      const workloads = Array.from({ length: 150 }, (_, index) => {
        const one = workload();
        return { ...one, ref: { ...one.ref, name: `app-${index}`, uid: `u-${index}` } };
      });
      const { checks, ports } = await prepare(workloads);
      ports.cluster.put(ports.cluster.get("u-7"));
      const recorded = await Promise.allSettled(workloads.map((one) => checks.record(one, problem)));
      const failed = recorded.flatMap((one, index) =>
        one.status === "rejected" ? [[index, one.reason as Error]] : [],
      );
      expect(failed).toMatchObject([[7, { name: "Conflict" }]]);
      expect(ports.published).toHaveLength(149);
      expect(new Set(ports.published.map((event) => event.workload.uid)).size).toBe(149);
    });

    test("writes nothing if the workload does not exist", async () => {
      const { checks, ports } = await prepare([workload()]);
      ports.cluster.remove(workload().ref.uid);
      await expect(checks.record(workload(), problem)).rejects.toMatchObject({ name: "Conflict" });
      expect(ports.published).toEqual([]);
    });
  });
}
