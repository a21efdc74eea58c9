import { expect, test } from "vitest";
import { Unreachable } from "../../../functions/ports/errors.ts";
import { planCluster } from "../../../functions/workflows/poll/plan-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { namedUpdatingWorkload, idleWorkload, tags } from "./fixtures.ts";
import { problemsOf } from "../../support/problems.ts";

test("a plan evaluates every workload and changes nothing", async () => {
  const workloads = [
    idleWorkload("newer"),
    idleWorkload("current", "registry.example/shop/newer:1.1.0"),
    idleWorkload("broken", undefined, { problems: problemsOf("schedule: what?") }),
    namedUpdatingWorkload("moving"),
    idleWorkload("away"),
  ];
  const ports = fakePorts({
    workloads,
    tags: { "shop/newer": tags, "shop/away": new Unreachable("no answer") },
    atMoment(moment) {
      if (!/ (?:list|listTags|digestOf|readFreeze)$/.test(moment)) throw new Error(`${moment}: a plan only reads`);
    },
  });
  const planned = await planCluster(ports);
  expect(planned.map((result) => ("decision" in result ? result.decision.kind : result.error.message))).toEqual([
    "update",
    "hold",
    "problem",
    "adopt",
    "no answer",
  ]);
  expect(planned.every((result) => !("action" in result) || result.action === "none")).toBe(true);
  expect(ports.executions.started).toEqual([]);
  expect(workloads.map(({ ref }) => ports.cluster.get(ref.uid))).toEqual(workloads);
});
