import { describe, expect, test } from "vitest";
import { functionSpecs, handlerNames, handlersFor } from "../../../infra/constructs/functions/function-specs.ts";
import { synthesise } from "../synthesized-stack.ts";
import { withNodePools } from "./stack-with-node-pools.ts";

const stack = withNodePools();
const { at, render, ofType } = stack;
const ofPools = handlerNames.filter((name) => functionSpecs[name].feature === "node-pools");

function environmentOf(cluster: string, handler: string, one = stack): Record<string, string> {
  const { Variables } = one.at(`${cluster}/Functions/${handler}/Function`).Properties["Environment"] as {
    Variables: Record<string, unknown>;
  };
  return Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, one.render(value)]));
}

const poolVariablePattern = /_POOL|TAG_CACHE|COMMAND/;

function poolVariables(cluster: string, handler: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environmentOf(cluster, handler)).filter(([name]) => poolVariablePattern.test(name)),
  );
}

test("each function is deployed with the alias live", () => {
  const functions = ofType("AWS::Lambda::Function").map(([path]) => path);
  const perCluster = handlersFor({ nodePools: {} } as never);
  expect(functions).toHaveLength(2 * perCluster.length + 1);
  for (const handler of ofPools) {
    expect(at(`edge/Functions/${handler}/Function`).Properties).toMatchObject({
      FunctionName: `pawl-edge-${handler}`,
      Timeout: 60,
    });
    expect(at(`edge/Functions/${handler}/Live`).Properties["Name"]).toBe("live");
  }
});

test("only functions of workloads hold claims in AutoUpdates", () => {
  for (const handler of ofPools) expect(environmentOf("edge", handler)).not.toHaveProperty("PAWL_CLAIM_HOLDER");
  expect(environmentOf("edge", "poll")).toHaveProperty("PAWL_CLAIM_HOLDER");
});

test("a cluster without node pools gets none of their resources or variables", () => {
  const without = synthesise();
  const paths = JSON.stringify(without.template.toJSON()["Resources"]);
  for (const handler of ofPools) expect(paths).not.toContain(`Functions/${handler}/`);
  expect(paths).not.toContain("node-pool-rollout");
  expect(without.ofType("AWS::SSM::Document")).toEqual([]);
  const variables = Object.keys(environmentOf("production", "poll", without));
  expect(variables.filter((name) => poolVariablePattern.test(name))).toEqual([]);
});

describe("the environment", () => {
  const machine = (cluster: string) =>
    `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:stateMachine:pawl-${cluster}-node-pool-rollout:live`;
  const polling = (cluster: string) => ({
    PAWL_NODE_POOLS: "1",
    PAWL_POOL_MACHINE_ARN: machine(cluster),
    PAWL_RECORD_POOL_FUNCTION: `<${cluster}/Functions/record-pool/Live>`,
  });
  const secrets = { PAWL_NODE_POOL_USE_PULL_SECRETS: "1" };

  test.for([
    {
      cluster: "production",
      handler: "poll",
      expected: { ...polling("production"), ...secrets, PAWL_TAG_CACHE_SECONDS: "60" },
    },
    {
      cluster: "production",
      handler: "record-pool",
      expected: { PAWL_NODE_POOLS: "1", ...secrets, PAWL_TAG_CACHE_SECONDS: "60" },
    },
    { cluster: "production", handler: "claim-pool", expected: {} },
    { cluster: "production", handler: "reconcile-nodes", expected: secrets },
    { cluster: "production", handler: "drain-nodes", expected: secrets },
    {
      cluster: "production",
      handler: "run-commands",
      expected: { PAWL_COMMAND_DOCUMENT: "pawl-production-bootc-node" },
    },
    { cluster: "production", handler: "release-pool", expected: {} },
    {
      cluster: "production",
      handler: "continue-pool-as-new",
      expected: { PAWL_POOL_MACHINE_ARN: machine("production") },
    },
    { cluster: "production", handler: "apply-update", expected: {} },
    { cluster: "edge", handler: "poll", expected: { ...polling("edge"), PAWL_TAG_CACHE_SECONDS: "300" } },
    {
      cluster: "edge",
      handler: "record-pool",
      expected: { PAWL_NODE_POOLS: "1", PAWL_TAG_CACHE_SECONDS: "300" },
    },
    { cluster: "edge", handler: "reconcile-nodes", expected: {} },
    { cluster: "edge", handler: "run-commands", expected: {} },
  ])("$handler of $cluster", ({ cluster, handler, expected }) => {
    expect(poolVariables(cluster, handler)).toEqual(expected);
  });

  test("functions that emit events get the name of the bus", () => {
    const emitting = ofPools.filter((handler) => "PAWL_EVENT_BUS_NAME" in environmentOf("edge", handler));
    expect(emitting).toEqual(["record-pool", "reconcile-nodes"]);
  });
});

test("each function with access to the cluster has an access entry and runs in its network", () => {
  const entries = ofType("AWS::EKS::AccessEntry").map(([path, { Properties }]) => [
    path.replace("production/Access/", ""),
    (Properties["KubernetesGroups"] as string[])[0],
    render(Properties["PrincipalArn"]),
  ]);
  const expected = ofPools.flatMap((handler) => {
    const { group } = functionSpecs[handler];
    return group === null ? [] : [[handler, group, `<production/Functions/${handler}/Role.Arn>`]];
  });
  expect(entries).toEqual(expect.arrayContaining(expected));
  const inVpc = ofPools.filter((handler) => "VpcConfig" in at(`production/Functions/${handler}/Function`).Properties);
  expect(inVpc).toEqual(ofPools.filter((handler) => handler !== "continue-pool-as-new"));
});

test("concurrency is reserved for functions that write", () => {
  const reserving = withNodePools({ writerReservedConcurrency: 10 });
  const reserved = ofPools.filter(
    (handler) => reserving.at(`edge/Functions/${handler}/Function`).Properties["ReservedConcurrentExecutions"] === 10,
  );
  expect(reserved).toEqual(ofPools.filter((handler) => handler !== "continue-pool-as-new"));
});
