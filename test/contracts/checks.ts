import { describe, expect, test } from "vitest";
import type { Workload } from "../../functions/domain/workload.ts";
import type { CheckDecision, Checks } from "../../functions/ports/checks.ts";
import type { FakePorts } from "../support/fake-ports.ts";
import { target, workload } from "../support/workloads.ts";

export interface ChecksUnderTest {
  readonly checks: Checks;
  /** Where it writes and tells. */
  readonly ports: FakePorts;
}

const problem: CheckDecision = { kind: "problem", problems: ["schedule: what?"] };
const update: CheckDecision = { kind: "update", version: "1.1.0", image: target };
const circuitOpen: CheckDecision = {
  kind: "hold",
  reason: "circuit-open",
  detail: "open: 1.1.0",
  version: "1.1.0",
  image: target,
};
const upToDate: CheckDecision = {
  kind: "hold",
  reason: "no-newer-version",
  detail: "nothing newer",
  version: null,
  image: null,
};

/** What every implementation of the port does. `prepare` gives one on a cluster with these workloads. */
export function checksContract(prepare: (workloads: readonly Workload[]) => Promise<ChecksUnderTest>): void {
  describe("Checks", () => {
    test.for([
      {
        what: "a problem",
        decision: problem,
        told: ["Update Held"],
        written: { announced: { problem: "schedule: what?" } },
      },
      {
        what: "a version behind an open circuit",
        decision: circuitOpen,
        told: ["Update Available", "Update Held"],
        written: { bookkeeping: { availableVersion: "1.1.0" }, announced: { held: "open: 1.1.0" } },
      },
      {
        what: "an update",
        decision: update,
        told: ["Update Available"],
        written: { bookkeeping: { availableVersion: null } },
      },
      {
        what: "what runs, where it was not known",
        decision: upToDate,
        told: [],
        written: { bookkeeping: { currentVersion: "1.0.0" } },
      },
    ])("record $what", async ({ decision, told, written }) => {
      const { checks, ports } = await prepare([workload()]);
      expect(await checks.record(workload(), decision)).toBe("recorded");
      expect(ports.published.map(({ type }) => type)).toEqual(told);
      expect(ports.cluster.events()).toHaveLength(told.length);
      expect(ports.cluster.get()).toMatchObject(written);
    });

    test.for([
      {
        what: "a problem that stands there",
        parts: { announced: { held: null, problem: "schedule: what?" } },
        decision: problem,
      },
      { what: "a version that is known", parts: { bookkeeping: { availableVersion: "1.1.0" } }, decision: update },
      { what: "that nothing is newer", parts: { bookkeeping: { currentVersion: "1.0.0" } }, decision: upToDate },
    ])("have nothing to record of $what", async ({ parts, decision }) => {
      const seen = workload(parts);
      const { checks, ports } = await prepare([seen]);
      expect(await checks.record(seen, decision)).toBe("none");
      expect(ports.published).toEqual([]);
      expect(ports.cluster.get()).toEqual(seen);
    });

    test("record nothing twice", async () => {
      const { checks, ports } = await prepare([workload()]);
      await checks.record(workload(), problem);
      const recorded = ports.cluster.get();
      expect(await checks.record(recorded, problem)).toBe("none");
      expect(ports.cluster.get()).toEqual(recorded);
      expect(ports.published).toHaveLength(1);
    });

    test("write nothing where the workload has changed since it was read", async () => {
      const { checks, ports } = await prepare([workload()]);
      ports.cluster.put(workload());
      const changed = ports.cluster.get();
      await expect(checks.record(workload(), problem)).rejects.toMatchObject({ name: "Conflict" });
      expect(ports.cluster.get()).toEqual(changed);
      expect(ports.published).toEqual([]);
    });

    test("write nothing where the workload is gone", async () => {
      const { checks, ports } = await prepare([workload()]);
      ports.cluster.remove(workload().ref.uid);
      await expect(checks.record(workload(), problem)).rejects.toMatchObject({ name: "Conflict" });
      expect(ports.published).toEqual([]);
    });
  });
}
