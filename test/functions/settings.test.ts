import { describe, expect, test } from "vitest";
import { type Environment, needed, readSettings, type Settings } from "../../functions/settings.ts";

const secretArn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:x";

const nodePools = { areOn: false, tagResolutionSeconds: 300, pullSecrets: false };

test("nothing has to be set", () => {
  expect(readSettings({})).toEqual({
    stateMachineArn: null,
    poolMachineArn: null,
    nodePools,
    recordPoolFunction: null,
    commandDocument: null,
    eventBusName: null,
    recordCheckFunction: null,
    pollFunction: null,
    access: { kind: "file", path: null, context: null },
    namespaces: null,
    insecureRegistries: [],
    dockerConfig: null,
    ecr: false,
    pullSecrets: false,
    digests: { baseline: "restart", pullPolicy: "keep" },
    runtimeImages: {},
    prometheus: [],
    metricsNamespace: "Pawl",
  });
});

describe("what can be set is read", () => {
  test.for<{ environment: Environment; settings: Partial<Settings> }>([
    { environment: { PAWL_STATE_MACHINE_ARN: "arn:machine:live" }, settings: { stateMachineArn: "arn:machine:live" } },
    { environment: { PAWL_EVENT_BUS_NAME: "pawl" }, settings: { eventBusName: "pawl" } },
    { environment: { PAWL_RECORD_CHECK_FUNCTION: "arn:f:live" }, settings: { recordCheckFunction: "arn:f:live" } },
    { environment: { PAWL_POLL_FUNCTION: "arn:p:live" }, settings: { pollFunction: "arn:p:live" } },
    { environment: { PAWL_POOL_MACHINE_ARN: "arn:pools:live" }, settings: { poolMachineArn: "arn:pools:live" } },
    { environment: { PAWL_RECORD_POOL_FUNCTION: "arn:r:live" }, settings: { recordPoolFunction: "arn:r:live" } },
    { environment: { PAWL_COMMAND_DOCUMENT: "arn:document" }, settings: { commandDocument: "arn:document" } },
    { environment: { PAWL_NODE_POOLS: "1" }, settings: { nodePools: { ...nodePools, areOn: true } } },
    { environment: { PAWL_NODE_POOLS: "false" }, settings: { nodePools } },
    {
      environment: { PAWL_NODE_POOL_PULL_SECRETS: "true" },
      settings: { nodePools: { ...nodePools, pullSecrets: true } },
    },
    {
      environment: { PAWL_TAG_RESOLUTION_SECONDS: "1" },
      settings: { nodePools: { ...nodePools, tagResolutionSeconds: 1 } },
    },
    {
      environment: { PAWL_TAG_RESOLUTION_SECONDS: "999999999" },
      settings: { nodePools: { ...nodePools, tagResolutionSeconds: 999_999_999 } },
    },
    { environment: { PAWL_NAMESPACES: "shop, agents," }, settings: { namespaces: ["shop", "agents"] } },
    { environment: { PAWL_INSECURE_REGISTRIES: "a:5000" }, settings: { insecureRegistries: ["a:5000"] } },
    {
      environment: { PAWL_RUNTIME_IMAGES: "openclaw=mirror.example/openclaw,other=mirror.example/a=b" },
      settings: { runtimeImages: { openclaw: "mirror.example/openclaw", other: "mirror.example/a=b" } },
    },
    { environment: { PAWL_DOCKER_CONFIG: "/d.json" }, settings: { dockerConfig: { kind: "file", path: "/d.json" } } },
    { environment: { PAWL_REGISTRY_SECRET_ARN: secretArn }, settings: { dockerConfig: { kind: "secret", secretArn } } },
    { environment: { PAWL_ECR: "1" }, settings: { ecr: true } },
    { environment: { PAWL_ECR: "0" }, settings: { ecr: false } },
    { environment: { PAWL_PULL_SECRETS: "true" }, settings: { pullSecrets: true } },
    {
      environment: { PAWL_DIGEST_BASELINE: "running" },
      settings: { digests: { baseline: "running", pullPolicy: "keep" } },
    },
    {
      environment: { PAWL_DIGEST_BASELINE: "restart", PAWL_DIGEST_PULL_POLICY: "always" },
      settings: { digests: { baseline: "restart", pullPolicy: "always" } },
    },
    { environment: { PAWL_DIGEST_PULL_POLICY: "keep" }, settings: {} },
    { environment: { POWERTOOLS_METRICS_NAMESPACE: "Mine" }, settings: { metricsNamespace: "Mine" } },
  ])("$environment", ({ environment, settings }) => {
    expect(readSettings(environment)).toEqual({ ...readSettings({}), ...settings });
  });
});

describe("the way into the cluster is", () => {
  const eks = { kind: "eks", clusterName: "c", endpoint: null, certificateAuthority: null, assumeRoleArn: null };
  test.for([
    {
      environment: { PAWL_KUBECONFIG: "/kubeconfig", PAWL_CONTEXT: "one" },
      access: { kind: "file", path: "/kubeconfig", context: "one" },
    },
    { environment: { PAWL_CONTEXT: "one" }, access: { kind: "file", path: null, context: "one" } },
    {
      environment: { PAWL_KUBECONFIG_SECRET_ARN: secretArn, PAWL_CONTEXT: "one" },
      access: { kind: "secret", secretArn, context: "one" },
    },
    { environment: { PAWL_EKS_CLUSTER: "c", PAWL_EKS_REGION: "eu-west-1" }, access: { ...eks, region: "eu-west-1" } },
    { environment: { PAWL_EKS_CLUSTER: "c", AWS_REGION: "us-east-1" }, access: { ...eks, region: "us-east-1" } },
    {
      environment: {
        PAWL_EKS_CLUSTER: "c",
        PAWL_EKS_REGION: "eu-west-1",
        AWS_REGION: "us-east-1",
        PAWL_EKS_ENDPOINT: "https://eks.example",
        PAWL_EKS_CA: "UEVN",
        PAWL_ASSUME_ROLE_ARN: "arn:role",
      },
      access: {
        ...eks,
        region: "eu-west-1",
        endpoint: "https://eks.example",
        certificateAuthority: "UEVN",
        assumeRoleArn: "arn:role",
      },
    },
  ])("$access.kind by $environment", ({ environment, access }) => {
    expect(readSettings(environment).access).toEqual(access);
  });
});

test("what is empty is not set", () => {
  const empty = {
    PAWL_KUBECONFIG: "",
    PAWL_EKS_CLUSTER: "",
    PAWL_ECR: "",
    PAWL_NAMESPACES: " , ",
    PAWL_DOCKER_CONFIG: "",
    PAWL_PULL_SECRETS: "",
    PAWL_DIGEST_BASELINE: "",
    PAWL_DIGEST_PULL_POLICY: "",
    PAWL_POOL_MACHINE_ARN: "",
    PAWL_RECORD_POOL_FUNCTION: "",
    PAWL_COMMAND_DOCUMENT: "",
    PAWL_NODE_POOLS: "",
    PAWL_NODE_POOL_PULL_SECRETS: "",
    PAWL_TAG_RESOLUTION_SECONDS: "",
  };
  expect(readSettings(empty)).toEqual(readSettings({}));
});

describe("problems", () => {
  test.for<{ when: string; environment: Environment; says: string }>([
    {
      when: "two ways lead into the cluster",
      environment: { PAWL_KUBECONFIG: "/k", PAWL_KUBECONFIG_SECRET_ARN: secretArn },
      says: "PAWL_KUBECONFIG_SECRET_ARN and PAWL_KUBECONFIG are set: one of them at most can hold",
    },
    {
      when: "logins come from two places",
      environment: { PAWL_DOCKER_CONFIG: "/d", PAWL_REGISTRY_SECRET_ARN: secretArn },
      says: "PAWL_REGISTRY_SECRET_ARN and PAWL_DOCKER_CONFIG are set: one of them at most can hold",
    },
    {
      when: "the region is not known",
      environment: { PAWL_EKS_CLUSTER: "c" },
      says: "PAWL_EKS_REGION is not set, and neither is AWS_REGION",
    },
    {
      when: "some cannot be read",
      environment: {
        PAWL_EKS_CLUSTER: "c",
        AWS_REGION: "r",
        PAWL_EKS_ENDPOINT: "eks",
        PAWL_ECR: "yes",
        PAWL_PULL_SECRETS: "all",
        PAWL_DIGEST_BASELINE: "Running",
        PAWL_DIGEST_PULL_POLICY: "Always",
        PAWL_RUNTIME_IMAGES: "openclaw,=x,ok=y",
      },
      says:
        'PAWL_EKS_ENDPOINT "eks" is no URL; PAWL_ECR "yes": write 1 or 0; PAWL_PULL_SECRETS "all": write 1 or 0; ' +
        'PAWL_DIGEST_BASELINE "Running": write restart or running; ' +
        'PAWL_DIGEST_PULL_POLICY "Always": write keep or always; ' +
        'PAWL_RUNTIME_IMAGES "openclaw": write runtime=repository, separated by commas; ' +
        'PAWL_RUNTIME_IMAGES "=x": write runtime=repository, separated by commas',
    },
    {
      when: "some of node pools cannot be read",
      environment: {
        PAWL_NODE_POOLS: "on",
        PAWL_NODE_POOL_PULL_SECRETS: "some",
        PAWL_TAG_RESOLUTION_SECONDS: "5m",
      },
      says:
        'PAWL_TAG_RESOLUTION_SECONDS "5m": write a whole number of seconds, 1 or more; ' +
        'PAWL_NODE_POOL_PULL_SECRETS "some": write 1 or 0; PAWL_NODE_POOLS "on": write 1 or 0',
    },
  ])("are all said at once where $when", ({ environment, says }) => {
    expect(() => readSettings(environment)).toThrow(
      expect.objectContaining({ name: "SettingsInvalid", message: says }),
    );
  });
});

test.for(["0", "-1", "1.5", "1e3", "300 ", "1000000000", "five"])("%o is no interval of seconds", (written) => {
  expect(() => readSettings({ PAWL_TAG_RESOLUTION_SECONDS: written })).toThrow(
    `PAWL_TAG_RESOLUTION_SECONDS "${written}": write a whole number of seconds, 1 or more`,
  );
});

test("what a function cannot do without is said where it is needed", () => {
  expect(needed("pawl", "PAWL_EVENT_BUS_NAME")).toBe("pawl");
  expect(() => needed(null, "PAWL_EVENT_BUS_NAME")).toThrow("PAWL_EVENT_BUS_NAME is not set");
});
