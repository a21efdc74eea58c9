import { describe, expect, test } from "vitest";
import { synthesise } from "../../synthesized-stack.ts";

const eks = { clusterName: "prod", region: "eu-central-1" };
const nodePools = {};
const plain = synthesise({ clusters: [{ name: "prod", eks, nodePools }] });
const traced = synthesise({ clusters: [{ name: "prod", eks, nodePools }], tracing: true, namespaceMetrics: true });

function variablesOf({ at }: typeof plain, handler: string): Readonly<Record<string, string>> {
  const { Variables } = at(`prod/Functions/${handler}/Function`).Properties["Environment"] as {
    Variables: Record<string, string>;
  };
  return Variables;
}

describe("traces", () => {
  test("are not written by default, and no role may write them", () => {
    expect(JSON.stringify(plain.template.toJSON())).not.toContain("xray:");
    const functions = plain.ofType("AWS::Lambda::Function").map(([, { Properties }]) => Properties["TracingConfig"]);
    expect(new Set(functions)).toEqual(new Set([undefined]));
    const machines = plain
      .ofType("AWS::StepFunctions::StateMachine")
      .map(([, { Properties }]) => Properties["TracingConfiguration"]);
    expect(machines).toHaveLength(3);
    const enabled = machines.map((machine) => (machine as { Enabled?: boolean } | undefined)?.Enabled ?? false);
    expect(enabled).toEqual([false, false, false]);
  });

  test("are written by every function and machine if `tracing` is true", () => {
    const functions = traced.ofType("AWS::Lambda::Function").filter(([path]) => path.startsWith("prod/"));
    expect(functions.length).toBeGreaterThan(15);
    for (const [, { Properties }] of functions) expect(Properties["TracingConfig"]).toEqual({ Mode: "Active" });
    for (const [, { Properties }] of traced.ofType("AWS::StepFunctions::StateMachine"))
      expect(Properties["TracingConfiguration"]).toEqual({ Enabled: true });
    const roles = traced.ofType("AWS::IAM::Role").filter(([path]) => path.startsWith("prod/Functions/"));
    for (const [path, { Properties }] of roles)
      expect([path, JSON.stringify(Properties)]).toEqual([path, expect.stringContaining("xray:PutTraceSegments")]);
  });
});

test("namespaces are a dimension of metrics only if `namespaceMetrics` is true: CloudWatch charges for each", () => {
  expect(variablesOf(plain, "poll")).not.toHaveProperty("PAWL_NAMESPACE_METRICS");
  expect(variablesOf(traced, "poll")).toHaveProperty("PAWL_NAMESPACE_METRICS", "true");
  expect(variablesOf(traced, "roll-back")).not.toHaveProperty("PAWL_NAMESPACE_METRICS");
});

describe("the saved queries of Logs Insights", () => {
  const queries = new Map(
    plain.ofType("AWS::Logs::QueryDefinition").map(([, { Properties }]) => [Properties["Name"], Properties]),
  );

  test("are in the folder of the cluster", () => {
    expect([...queries.keys()]).toEqual([
      "pawl/prod/Log of a workload",
      "pawl/prod/Failed evaluations by cause",
      "pawl/prod/Errors by task",
    ]);
  });

  test("find a workload in the logs of all functions, by the fields that every step logs", () => {
    const { LogGroupNames, QueryString } = queries.get("pawl/prod/Log of a workload")!;
    const functions = plain.ofType("AWS::Lambda::Function").filter(([path]) => path.startsWith("prod/Functions/"));
    expect(LogGroupNames).toHaveLength(functions.length);
    expect(QueryString).toContain('workload.namespace = "NAMESPACE"');
    expect(QueryString).toContain('workload.name = "NAME"');
  });

  test("find causes in the logs of the poll and its batches", () => {
    const { LogGroupNames, QueryString } = queries.get("pawl/prod/Failed evaluations by cause")!;
    expect((LogGroupNames as unknown[]).map((name) => plain.render(name))).toEqual([
      "<prod/Functions/poll/Logs>",
      "<prod/Functions/poll-batch/Logs>",
    ]);
    expect(QueryString).toContain("by failure, reason");
  });
});
