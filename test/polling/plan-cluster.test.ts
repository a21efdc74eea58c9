import { expect, test } from "vitest";
import { Unreachable } from "../../functions/adapters/errors.ts";
import { planCluster } from "../../functions/polling/plan-cluster.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { inFlightOf, resting, tags } from "./shop.ts";

test("a plan decides about every workload and changes nothing", async () => {
  const workloads = [
    resting("newer"),
    resting("current", "registry.example/shop/newer:1.1.0"),
    resting("broken", undefined, { problems: ["schedule: what?"] }),
    inFlightOf("moving"),
    resting("away"),
  ];
  const ports = fakePorts({
    workloads,
    tags: { "shop/newer": tags, "shop/away": new Unreachable("no answer") },
    atMoment(moment) {
      if (!/ (?:list|listTags)$/.test(moment)) throw new Error(`${moment}: a plan only looks`);
    },
  });
  const planned = await planCluster(ports);
  expect(planned.map((one) => ("decision" in one ? one.decision.kind : one.error.message))).toEqual([
    "update",
    "hold",
    "problem",
    "adopt",
    "no answer",
  ]);
  expect(planned.every((one) => !("act" in one) || one.act === "none")).toBe(true);
  expect(ports.executions.started).toEqual([]);
  expect(workloads.map(({ ref }) => ports.cluster.get(ref.uid))).toEqual(workloads);
});
