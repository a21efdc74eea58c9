import { expect, test } from "vitest";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { gateReason } from "../../../../functions/workflows/workload-update/start-update.ts";
import { createEvaluator } from "../../../../functions/workflows/poll/evaluate/create-evaluator.ts";
import type { Metrics } from "../../../../functions/ports/metrics.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { workload } from "../../../support/workloads.ts";
import { idleWorkload, tags } from "../fixtures.ts";

function evaluatorOf(freeze: string | null | Error) {
  const ports = fakePorts({ tags: { "shop/web": tags } });
  let reads = 0;
  const readFreeze = async () => {
    reads += 1;
    if (freeze instanceof Error) throw freeze;
    return { kind: "text", text: freeze } as const;
  };
  return { evaluate: createEvaluator({ ...ports, cluster: { ...ports.cluster, readFreeze } }), reads: () => reads };
}

const web = (name = "web", image = "registry.example/shop/web:1.0.0") => idleWorkload(name, image);

test.for([
  { when: "there is no freeze", freeze: null, decision: { kind: "update" } },
  { when: "a freeze is over", freeze: "- { reason: x, to: 2026-11-20 }", decision: { kind: "update" } },
  {
    when: "a freeze lasts",
    freeze: "- { reason: incident 7 }",
    decision: { kind: "hold", reason: "frozen", gates: [{ name: "freeze", reason: "Frozen" }] },
  },
  {
    when: "freezes are not known",
    freeze: "- {",
    decision: { kind: "hold", reason: "frozen", gates: [{ name: "freeze", reason: "FreezeUnknown" }] },
  },
])("if $when, the decision is $decision.kind", async ({ freeze, decision }) => {
  const { evaluate, reads } = evaluatorOf(freeze);
  const decisions = await Promise.all(["a", "b", "c"].map((name) => evaluate(web(name))));
  for (const one of decisions) expect(one).toMatchObject(decision);
  expect(reads()).toBe(1);
});

test("it is not read if nothing would start, or a person asks for it", async () => {
  const { evaluate, reads } = evaluatorOf("- { reason: incident 7 }");
  await evaluate(web("current", "registry.example/shop/web:1.1.0"));
  const request = { verb: "push", argument: "1.1.0", token: "t" } as const;
  const pushed = { ...web(), request, record: workload().record };
  expect((await evaluate(pushed)).kind).not.toBe("hold");
  expect(reads()).toBe(0);
});

test("what is not known is an error of the poll, once", async () => {
  const ports = fakePorts({ workloads: ["a", "b"].map((name) => web(name)), tags: { "shop/web": tags } });
  const readFreeze = async () => ({ kind: "unreadable", reason: "no rights" }) as const;
  const warnings: object[] = [];
  const warn = (message: string, about: object) => void warnings.push({ message, ...about });
  const errors: number[] = [];
  const record: Metrics["record"] = (name, value) => void (name === "pawl_poll_errors_total" && errors.push(value));
  const metrics = { record, flush: () => undefined };
  await pollCluster({ ...ports, metrics, cluster: { ...ports.cluster, readFreeze } }, { warn });
  expect(errors).toEqual([1]);
  expect(warnings).toEqual([expect.objectContaining({ failure: "FreezeUnknown" })]);
});

test("a clock that is wrong by an hour opens no window early, in the poll nor in the step that writes", async () => {
  const windows = [{ schedule: "0 12 * * *", durationSeconds: 1800 }];
  const subject = { ...web(), policy: { ...web().policy, windows } };
  const ports = fakePorts({ workloads: [subject], tags: { "shop/web": tags } });
  let serverAheadSeconds = -3600;
  const readFreeze = async () => ({ kind: "text", text: null, serverAheadSeconds }) as const;
  const cluster = { ...ports.cluster, readFreeze };
  const evaluate = () => createEvaluator({ ...ports, cluster })(subject);
  const gates = [{ name: "windows", reason: "ClockWrong", message: expect.stringContaining("1h0m0s behind") }];
  expect(await evaluate()).toMatchObject({ kind: "hold", reason: "outside-windows", gates });
  const target = { kind: "image", image: "registry.example/shop/web:1.1.0" } as const;
  expect(await gateReason(cluster, subject, target, ports.now())).toContain("1h0m0s behind");
  serverAheadSeconds = 20;
  expect((await evaluate()).kind).toBe("update");
  expect(await gateReason(cluster, subject, target, ports.now())).toBeNull();
});
