import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { entryOf } from "../../../infra/constructs/bundling.ts";
import { handlersOf } from "../../../infra/constructs/deployed.ts";
import { functionSpecs, handlerNames } from "../../../infra/constructs/functions.ts";
import { synthesise } from "../synthesised.ts";

const stack = synthesise();
const { at, render, ofType } = stack;
const handlers = handlersOf({ nodePools: null });

function environmentOf(path: string): Record<string, string> {
  const { Variables } = at(path).Properties["Environment"] as { Variables: Record<string, unknown> };
  return Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, render(value)]));
}

test("every handler is a function and every function a handler", () => {
  const files = readdirSync("functions/handlers").map((file) => file.replace(/\.ts$/, ""));
  expect([...handlerNames].sort()).toEqual(files.sort());
  expect(handlerNames.filter((name) => !existsSync(entryOf(name)))).toEqual([]);
});

describe("each function", () => {
  test.for(["production", "edge"].flatMap((cluster) => handlers.map((handler) => ({ cluster, handler }))))(
    "$handler of $cluster",
    ({ cluster, handler }) => {
      const path = `${cluster}/Functions/${handler}`;
      const { memoryMegabytes, timeoutSeconds } = functionSpecs[handler];
      expect(at(`${path}/Function`).Properties).toMatchObject({
        FunctionName: `pawl-${cluster}-${handler}`,
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        Handler: "index.handler",
        MemorySize: memoryMegabytes,
        Timeout: timeoutSeconds,
        TracingConfig: { Mode: "Active" },
      });
      expect(at(`${path}/Logs`).Properties).toEqual({
        LogGroupName: `/aws/lambda/pawl-${cluster}-${handler}`,
        RetentionInDays: 30,
      });
      expect(render(at(`${path}/Function`).Properties["Role"])).toBe(`<${path}/Role.Arn>`);
      expect(at(`${path}/Live`).Properties["Name"]).toBe("live");
    },
  );

  test("none may invoke itself for ever but the poll, which comes to an end by itself", () => {
    const loops = handlers.map((name) => at(`edge/Functions/${name}/Function`).Properties["RecursiveLoop"]);
    expect(handlers.filter((_, index) => loops[index] !== undefined)).toEqual(["poll"]);
    expect(loops).toContain("Allow");
  });

  test("its old versions stay", () => {
    const versions = ofType("AWS::Lambda::Version");
    expect(versions).toHaveLength(2 * handlers.length);
    for (const [, version] of versions)
      expect(version).toMatchObject({ DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
  });

  test("what reaches a private cluster runs in its network, and nothing else does", () => {
    const inVpc = ofType("AWS::Lambda::Function").filter(([, { Properties }]) => "VpcConfig" in Properties);
    const expected = handlers
      .filter((name) => name !== "hand-over")
      .map((name) => `production/Functions/${name}/Function`);
    expect(inVpc.map(([path]) => path).sort()).toEqual(expected.sort());
    expect(inVpc[0]?.[1].Properties["VpcConfig"]).toEqual({
      SecurityGroupIds: ["sg-0a1b2c3d4e5f60718"],
      SubnetIds: ["subnet-0a1b2c3d4e5f60718", "subnet-0b1c2d3e4f5061728"],
    });
  });
});

describe("concurrency is reserved", () => {
  const reserved = (one: typeof stack, cluster: string) =>
    Object.fromEntries(
      handlers.map((name) => [
        name,
        one.at(`${cluster}/Functions/${name}/Function`).Properties["ReservedConcurrentExecutions"],
      ]),
    );
  const writers = [
    "record-check",
    "apply-update",
    "adopt-update",
    "start-canary",
    "analyze-canary",
    "record-success",
    "roll-back",
    "open-circuit",
  ];
  const eks = { clusterName: "prod", region: "eu-central-1" };
  const given = (writesAtOnce: number | null) => synthesise({ clusters: [{ name: "prod", eks, writesAtOnce }] });

  test("one for the poll, ten for each that writes, none for the others", () => {
    const tens = Object.fromEntries(writers.map((name) => [name, 10]));
    expect(reserved(stack, "production")).toEqual({ poll: 1, ...tens });
  });

  test.for([
    { writesAtOnce: 3, poll: 1, writer: 3 },
    { writesAtOnce: null, poll: undefined, writer: undefined },
  ])("as written: $writesAtOnce", ({ writesAtOnce, poll, writer }) => {
    expect(reserved(given(writesAtOnce), "prod")).toMatchObject({ poll, "apply-update": writer });
  });
});

describe("the environment", () => {
  const common = { POWERTOOLS_METRICS_NAMESPACE: "Pawl", LOG_LEVEL: "INFO" };
  const eks = {
    PAWL_NAMESPACES: "shop,payments",
    PAWL_EKS_CLUSTER: "production",
    PAWL_EKS_REGION: "eu-central-1",
    PAWL_EKS_ENDPOINT: "https://0123456789ABCDEF0123456789ABCDEF.gr7.eu-central-1.eks.amazonaws.com",
    PAWL_EKS_CA: expect.stringMatching(/^LS0tLS1CRUdJTi/) as string,
  };
  const secrets = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl";
  const kubeconfig = {
    PAWL_RUNTIME_IMAGES: "openclaw=registry.example.com/claws/openclaw",
    PAWL_KUBECONFIG_SECRET_ARN: `${secrets}/edge-kubeconfig-a1B2c3`,
    PAWL_CONTEXT: "edge",
  };
  const prometheus = "service://monitoring/prometheus:9090,amp://eu-central-1/ws-01234567-89ab-cdef-0123-456789abcdef";
  const machine = (cluster: string) =>
    `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:stateMachine:pawl-${cluster}-workload-update:live`;
  const polling = (cluster: string) => ({
    PAWL_STATE_MACHINE_ARN: machine(cluster),
    PAWL_RECORD_CHECK_FUNCTION: `<${cluster}/Functions/record-check/Live>`,
    PAWL_POLL_FUNCTION: `arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:pawl-${cluster}-poll:live`,
    PAWL_DIGEST_BASELINE: "restart",
    PAWL_REGISTRY_SECRET_ARN: `${secrets}/registries-d4E5f6`,
    PAWL_ECR: "1",
    NODE_OPTIONS: "--max-semi-space-size=8",
  });

  test.for([
    { cluster: "production", handler: "poll", told: { ...eks, ...polling("production") } },
    {
      cluster: "production",
      handler: "apply-update",
      told: { ...eks, PAWL_EVENT_BUS_NAME: "<Bus>", PAWL_DIGEST_PULL_POLICY: "keep" },
    },
    { cluster: "production", handler: "check-readiness", told: eks },
    { cluster: "production", handler: "check-canary", told: eks },
    { cluster: "production", handler: "analyze-canary", told: { ...eks, PAWL_PROMETHEUS: prometheus } },
    { cluster: "edge", handler: "analyze-canary", told: kubeconfig },
    { cluster: "production", handler: "hand-over", told: { PAWL_STATE_MACHINE_ARN: machine("production") } },
    { cluster: "edge", handler: "poll", told: { ...kubeconfig, ...polling("edge") } },
    { cluster: "edge", handler: "record-check", told: { ...kubeconfig, PAWL_EVENT_BUS_NAME: "<Bus>" } },
  ])("of $handler of $cluster says where things are, no more", ({ cluster, handler, told }) => {
    const named = { PAWL_CLUSTER: cluster, POWERTOOLS_SERVICE_NAME: handler };
    expect(environmentOf(`${cluster}/Functions/${handler}/Function`)).toEqual({ ...named, ...common, ...told });
  });

  test("holds no secret: none is resolved in the template of any function", () => {
    expect(JSON.stringify(ofType("AWS::Lambda::Function"))).not.toContain("{{resolve:");
  });
});
