import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { handlersFor } from "../../../../infra/constructs/functions/function-specs.ts";
import { exportName, functionSpecs, handlerNames } from "../../../../infra/constructs/functions/function-specs.ts";
import { synthesise } from "../../synthesized-stack.ts";

const stack = synthesise();
const { at, render, ofType } = stack;
const handlers = handlersFor({ nodePools: null, releases: false, hooks: false });

function environmentOf(path: string): Record<string, string> {
  const { Variables } = at(path).Properties["Environment"] as { Variables: Record<string, unknown> };
  return Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, render(value)]));
}

test("each handler has a function, and each function a handler", () => {
  const files = readdirSync("functions/handlers").map((file) => file.replace(/\.ts$/, ""));
  expect([...handlerNames].sort()).toEqual(files.sort());
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
        Handler: `index.${exportName(handler)}`,
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

  test("none may invoke itself: Lambda stops recursive loops", () => {
    const loops = ofType("AWS::Lambda::Function").map(([, { Properties }]) => Properties["RecursiveLoop"]);
    expect(loops.filter((loop) => loop !== undefined)).toEqual([]);
  });

  test("a batch of a poll ends before its Task, and that before the Express execution", () => {
    expect(functionSpecs["poll-batch"].timeoutSeconds).toBe(240);
    expect(functionSpecs["poll-batch"].memoryMegabytes).toBe(functionSpecs.poll.memoryMegabytes);
  });

  test("old versions are retained, but not those of a deployment that is rolled back: Lambda would not publish them again", () => {
    const versions = ofType("AWS::Lambda::Version");
    expect(versions).toHaveLength(2 * handlers.length + 1);
    for (const [, version] of versions)
      expect(version).toMatchObject({ DeletionPolicy: "RetainExceptOnCreate", UpdateReplacePolicy: "Retain" });
  });

  test("only functions with access to a private cluster run in its network", () => {
    const inVpc = ofType("AWS::Lambda::Function").filter(([, { Properties }]) => "VpcConfig" in Properties);
    const expected = handlers
      .filter((name) => name !== "continue-as-new")
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
    "check-canary",
    "analyze-canary",
    "check-readiness",
    "roll-pod",
    "analyze-rollout",
    "record-success",
    "roll-back",
    "check-rollback",
    "open-circuit",
  ];
  const eks = { clusterName: "prod", region: "eu-central-1" };
  const given = (writerReservedConcurrency: number | null) =>
    synthesise({ clusters: [{ name: "prod", eks, writerReservedConcurrency }] });

  test("as configured: 3 for the poll, the same for each writer, none for the others", () => {
    const tens = Object.fromEntries(writers.map((name) => [name, 10]));
    expect(reserved(given(10), "prod")).toEqual({ poll: 3, ...tens });
  });

  test("not by default: a new account has a quota of 10", () => {
    const defaults = Object.values(reserved(stack, "production"));
    expect(defaults.filter((one) => one !== undefined)).toEqual([]);
  });
});

describe("the environment", () => {
  const common = { POWERTOOLS_METRICS_NAMESPACE: "Pawl", LOG_LEVEL: "INFO" };
  const machine = (cluster: string) =>
    `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:stateMachine:pawl-${cluster}-workload-update`;
  const alias = (cluster: string) => `${machine(cluster)}:live`;
  const eks = {
    PAWL_CLAIM_HOLDER: machine("production"),
    PAWL_NAMESPACES: "shop,payments",
    PAWL_EKS_CLUSTER: "production",
    PAWL_EKS_REGION: "eu-central-1",
    PAWL_EKS_ENDPOINT: "https://0123456789ABCDEF0123456789ABCDEF.gr7.eu-central-1.eks.amazonaws.com",
    PAWL_EKS_CA: expect.stringMatching(/^LS0tLS1CRUdJTi/) as string,
  };
  const secrets = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl";
  const kubeconfig = {
    PAWL_CLAIM_HOLDER: machine("edge"),
    PAWL_RUNTIME_IMAGES: "openclaw=registry.example.com/claws/openclaw",
    PAWL_KUBECONFIG_SECRET_ARN: `${secrets}/edge-kubeconfig-a1B2c3`,
    PAWL_CONTEXT: "edge",
  };
  const prometheus =
    "service://monitoring/prometheus:9090,amp://eu-central-1/ws-01234567-89ab-cdef-0123-456789abcdef,https://prometheus.example.com";
  const providers = { PAWL_PROMETHEUS: prometheus, PAWL_CLOUDWATCH_REGIONS: "eu-central-1" };
  const logins = JSON.stringify([
    { provider: "prometheus", address: "https://prometheus.example.com", secretArn: `${secrets}/prometheus-m3N4o5` },
  ]);
  const queried = { ...providers, PAWL_METRIC_LOGINS: logins };
  const workLists = (cluster: string) => ({ PAWL_WORK_BUCKET: `<${cluster}/WorkLists>` });
  const fanOut = (cluster: string) => ({
    PAWL_FANOUT_MACHINE: machine(cluster).replace("workload-update", "poll-fanout"),
  });
  const polling = (cluster: string) => ({
    PAWL_STATE_MACHINE_ARN: alias(cluster),
    PAWL_RECORD_CHECK_FUNCTION: `<${cluster}/Functions/record-check/Live>`,
    ...workLists(cluster),
    PAWL_NOTIFICATION_TARGETS: "shop-team,on-call",
    PAWL_DIGEST_ON_FIRST_SEEN: "restart",
    PAWL_REGISTRY_SECRET_ARN: `${secrets}/registries-d4E5f6`,
    PAWL_ALLOWED_REGISTRIES: "*",
    PAWL_ECR: "1",
    NODE_OPTIONS: "--max-semi-space-size=8",
    UV_THREADPOOL_SIZE: "96",
    MALLOC_ARENA_MAX: "1",
  });

  test.for([
    {
      cluster: "production",
      handler: "poll",
      expected: { ...eks, ...polling("production"), ...fanOut("production"), ...providers },
    },
    {
      cluster: "production",
      handler: "poll-batch",
      expected: {
        ...eks,
        ...polling("production"),
        ...providers,
        PAWL_LIMITS: '{"aws":{"startsPerSecond":0.625,"describesPerSecond":0.062,"eventsPerSecond":1.25}}',
      },
    },
    {
      cluster: "production",
      handler: "collect-batches",
      expected: {
        ...eks,
        ...workLists("production"),
        PAWL_RECORD_CHECK_FUNCTION: "<production/Functions/record-check/Live>",
      },
    },
    {
      cluster: "production",
      handler: "apply-update",
      expected: { ...eks, PAWL_EVENT_BUS_NAME: "pawl", PAWL_DIGEST_IMAGE_PULL_POLICY: "unchanged" },
    },
    { cluster: "production", handler: "check-readiness", expected: eks },
    { cluster: "production", handler: "check-canary", expected: eks },
    { cluster: "production", handler: "analyze-canary", expected: { ...eks, ...queried } },
    { cluster: "edge", handler: "analyze-canary", expected: kubeconfig },
    { cluster: "production", handler: "analyze-rollout", expected: { ...eks, ...queried } },
    { cluster: "production", handler: "continue-as-new", expected: { PAWL_STATE_MACHINE_ARN: alias("production") } },
    { cluster: "edge", handler: "poll", expected: { ...kubeconfig, ...polling("edge"), ...fanOut("edge") } },
    {
      cluster: "edge",
      handler: "record-check",
      expected: { ...kubeconfig, PAWL_EVENT_BUS_NAME: "pawl", PAWL_LONGEST_POLL_GAP: "209700" },
    },
  ])("of $handler of $cluster has only the expected variables", ({ cluster, handler, expected }) => {
    const names = { PAWL_CLUSTER: cluster, POWERTOOLS_SERVICE_NAME: handler };
    expect(environmentOf(`${cluster}/Functions/${handler}/Function`)).toEqual({ ...names, ...common, ...expected });
  });

  test("names one holder of claims for each cluster, in each function that reads or writes them", () => {
    const holders = ofType("AWS::Lambda::Function").flatMap(([path]) => {
      const { PAWL_CLAIM_HOLDER: holder } = environmentOf(path);
      return holder === undefined ? [] : [[path, holder] as const];
    });
    const expected = ["production", "edge"].flatMap((cluster) =>
      handlers
        .filter((name) => name !== "continue-as-new")
        .map((name) => [`${cluster}/Functions/${name}/Function`, machine(cluster)]),
    );
    expect(Object.fromEntries(holders)).toEqual(Object.fromEntries(expected));
  });

  test("contains no secret", () => {
    expect(JSON.stringify(ofType("AWS::Lambda::Function"))).not.toContain("{{resolve:");
  });
});
