import { describe, expect, test } from "vitest";
import { collectFailures, createHaltGate } from "../../../functions/domain/gates/halt.ts";
import { recordedGates } from "../../../functions/domain/gates/recorded-gates.ts";
import { isHeldByGate } from "../../../functions/domain/gates/gates.ts";
import { hold } from "../../../functions/domain/workload/decision/decision.ts";
import { noon, updateTarget, workload, type WorkloadParts } from "../../support/workloads.ts";

const failed = { failedVersions: ["1.1.0"] };
const repository = "registry.example/shop/app";

function named(name: string, parts: WorkloadParts = { updateRecord: failed }, namespace = "shop") {
  const { ref } = workload();
  return workload({ ...parts, ref: { ...ref, name, namespace } });
}

describe("a version is held if it has failed elsewhere", () => {
  test.for([
    { when: "in two workloads of the namespace", others: [named("a"), named("b")], closed: true },
    { when: "in one workload", others: [named("a"), named("b", {})], closed: false },
    { when: "in nothing", others: [], closed: false },
    { when: "in two, one of another namespace", others: [named("a"), named("b", undefined, "other")], closed: false },
    {
      when: "in two, one of another repository",
      others: [named("a"), named("b", { source: "registry.example/shop/other:1.0.0", updateRecord: failed })],
      closed: false,
    },
    {
      when: "in two, one of another version",
      others: [named("a"), named("b", { updateRecord: { failedVersions: ["1.0.9"] } })],
      closed: false,
    },
    {
      when: "in two, one of which has no source",
      others: [named("a"), named("b", { source: null, image: `${repository}:1.0.0`, updateRecord: failed })],
      closed: true,
    },
    {
      when: "in two, whose images are not known or invalid",
      others: [
        named("a", { source: null, image: null, updateRecord: failed }),
        named("b", { source: "::", updateRecord: failed }),
      ],
      closed: false,
    },
  ])("$when: $closed", ({ others, closed }) => {
    const gate = createHaltGate(collectFailures(others));
    expect(gate.evaluate(named("web", {}), updateTarget, noon) !== null).toBe(closed);
  });

  test("and says where", () => {
    const gate = createHaltGate(collectFailures([named("b"), named("a")]));
    expect(gate.evaluate(named("web", {}), updateTarget, noon)).toEqual({
      reason: "HaltedElsewhere",
      message: "1.1.0 has failed in 2 workloads of the namespace: deployment/a, deployment/b",
      liftedBy: "pawl retry of deployment/a",
    });
    expect(gate.evaluate(named("web", {}), null, noon)).toBeNull();
    expect(isHeldByGate(hold("halted", ""))).toBe(true);
  });
});

test("alone, a workload shows the gate as a poll has recorded it", () => {
  const closed = { reason: "HaltedElsewhere", message: "1.1.0 has failed in 2 workloads" };
  const recorded = named("web", { gates: [{ name: "haltedElsewhere", ...closed }] });
  const evaluated = recordedGates(recorded).map((gate) => [gate.name, gate.evaluate(recorded, updateTarget, noon)]);
  expect(evaluated).toEqual([["haltedElsewhere", closed]]);
  expect(recordedGates(named("web"))).toEqual([]);
});
