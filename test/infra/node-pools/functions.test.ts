import { describe, expect, test } from "vitest";
import { functionSpecs, handlerNames } from "../../../infra/constructs/functions.ts";
import { synthesise } from "../synthesised.ts";
import { withNodePools } from "./with-node-pools.ts";

const stack = withNodePools();
const { at, render, ofType } = stack;
const ofPools = handlerNames.filter((name) => functionSpecs[name].part === "node-pools");

function environmentOf(cluster: string, handler: string, one = stack): Record<string, string> {
  const { Variables } = one.at(`${cluster}/Functions/${handler}/Function`).Properties["Environment"] as {
    Variables: Record<string, unknown>;
  };
  return Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, one.render(value)]));
}

const named = /POOL|TAG_RESOLUTION|COMMAND/;

function toldOf(cluster: string, handler: string): Record<string, string> {
  return Object.fromEntries(Object.entries(environmentOf(cluster, handler)).filter(([name]) => named.test(name)));
}

test("each is deployed, with the alias by which it is invoked", () => {
  const functions = ofType("AWS::Lambda::Function").map(([path]) => path);
  expect(functions).toHaveLength(2 * handlerNames.length);
  for (const handler of ofPools) {
    expect(at(`edge/Functions/${handler}/Function`).Properties).toMatchObject({
      FunctionName: `pawl-edge-${handler}`,
      Timeout: 60,
    });
    expect(at(`edge/Functions/${handler}/Live`).Properties["Name"]).toBe("live");
  }
});

test("where node pools are left alone nothing of them is there, and nobody is told of them", () => {
  const without = synthesise();
  const paths = JSON.stringify(without.template.toJSON()["Resources"]);
  for (const handler of ofPools) expect(paths).not.toContain(`Functions/${handler}/`);
  expect(paths).not.toContain("node-pool-rollout");
  expect(without.ofType("AWS::SSM::Document")).toEqual([]);
  const told = Object.keys(environmentOf("production", "poll", without));
  expect(told.filter((name) => named.test(name))).toEqual([]);
});

describe("what is told", () => {
  const machine = (cluster: string) =>
    `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:stateMachine:pawl-${cluster}-node-pool-rollout:live`;
  const polling = (cluster: string) => ({
    PAWL_NODE_POOLS: "1",
    PAWL_POOL_MACHINE_ARN: machine(cluster),
    PAWL_RECORD_POOL_FUNCTION: `<${cluster}/Functions/record-pool/Live>`,
  });
  const secrets = { PAWL_NODE_POOL_PULL_SECRETS: "1" };

  test.for([
    {
      cluster: "production",
      handler: "poll",
      told: { ...polling("production"), ...secrets, PAWL_TAG_RESOLUTION_SECONDS: "60" },
    },
    {
      cluster: "production",
      handler: "record-pool",
      told: { PAWL_NODE_POOLS: "1", ...secrets, PAWL_TAG_RESOLUTION_SECONDS: "60" },
    },
    { cluster: "production", handler: "claim-pool", told: {} },
    { cluster: "production", handler: "step-nodes", told: secrets },
    { cluster: "production", handler: "drain-nodes", told: secrets },
    {
      cluster: "production",
      handler: "run-commands",
      told: { PAWL_COMMAND_DOCUMENT: "pawl-production-bootc-node" },
    },
    { cluster: "production", handler: "release-pool", told: {} },
    { cluster: "production", handler: "hand-over-pool", told: { PAWL_POOL_MACHINE_ARN: machine("production") } },
    { cluster: "production", handler: "apply-update", told: {} },
    { cluster: "edge", handler: "poll", told: { ...polling("edge"), PAWL_TAG_RESOLUTION_SECONDS: "300" } },
    {
      cluster: "edge",
      handler: "record-pool",
      told: { PAWL_NODE_POOLS: "1", PAWL_TAG_RESOLUTION_SECONDS: "300" },
    },
    { cluster: "edge", handler: "step-nodes", told: {} },
    { cluster: "edge", handler: "run-commands", told: {} },
  ])("$handler of $cluster", ({ cluster, handler, told }) => {
    expect(toldOf(cluster, handler)).toEqual(told);
  });

  test("those that tell know the bus", () => {
    const telling = ofPools.filter((handler) => "PAWL_EVENT_BUS_NAME" in environmentOf("edge", handler));
    expect(telling).toEqual(["record-pool", "step-nodes"]);
  });
});

test("each that speaks to the cluster has an access entry with its group, and runs in its network", () => {
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
  expect(inVpc).toEqual(ofPools.filter((handler) => handler !== "hand-over-pool"));
});

test("concurrency is reserved for those that write", () => {
  const reserved = ofPools.filter(
    (handler) => at(`edge/Functions/${handler}/Function`).Properties["ReservedConcurrentExecutions"] === 10,
  );
  expect(reserved).toEqual(ofPools.filter((handler) => handler !== "hand-over-pool"));
});
