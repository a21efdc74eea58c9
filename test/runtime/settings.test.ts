import { describe, expect, test } from "vitest";
import { type Environment, requireSetting, type Settings } from "../../functions/runtime/settings.ts";
import { readSettings } from "../../functions/runtime/read-settings.ts";
import { localHolderId } from "../../functions/runtime/claim-holder.ts";

const secretArn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:x";

const nodePools = { enabled: false, tagCacheSeconds: 300, usePullSecrets: false };

test("every setting is optional", () => {
  expect(readSettings({})).toEqual({
    stateMachineArn: null,
    claimHolder: localHolderId,
    poolMachineArn: null,
    nodePools,
    recordPoolFunction: null,
    commandDocument: null,
    notificationsFile: null,
    notificationTargets: null,
    releases: false,
    namespaceMetrics: false,
    limits: { namespace: {}, overrides: {} },
    freezes: [],
    changeCalendars: [],
    git: [],
    peers: [],
    longestPollGapSeconds: null,
    dailyDigests: [],
    defaults: [],
    eventBusName: null,
    recordCheckFunction: null,
    fanOutMachineArn: null,
    workBucket: null,
    access: { kind: "file", path: null, context: null },
    namespaces: null,
    insecureRegistries: [],
    registryLogins: [],
    verifyFile: null,
    verifyFunction: null,
    verifyScopes: [],
    oldestRoot: null,
    dockerConfig: null,
    ecr: false,
    usePullSecrets: false,
    hooks: false,
    jobMetrics: false,
    configSecrets: false,
    digests: { onFirstSeen: "restart", imagePullPolicy: "unchanged" },
    runtimeImages: {},
    metricProviders: { prometheus: [], cloudwatch: [], web: [] },
    metricsNamespace: "Pawl",
  });
});

describe("settings are read from the environment", () => {
  test.for<{ environment: Environment; settings: Partial<Settings> }>([
    { environment: { PAWL_STATE_MACHINE_ARN: "arn:machine:live" }, settings: { stateMachineArn: "arn:machine:live" } },
    { environment: { PAWL_EVENT_BUS_NAME: "pawl" }, settings: { eventBusName: "pawl" } },
    { environment: { PAWL_RECORD_CHECK_FUNCTION: "arn:f:live" }, settings: { recordCheckFunction: "arn:f:live" } },
    { environment: { PAWL_FANOUT_MACHINE: "arn:f:live" }, settings: { fanOutMachineArn: "arn:f:live" } },
    { environment: { PAWL_WORK_BUCKET: "work" }, settings: { workBucket: "work" } },
    { environment: { PAWL_POOL_MACHINE_ARN: "arn:pools:live" }, settings: { poolMachineArn: "arn:pools:live" } },
    { environment: { PAWL_RECORD_POOL_FUNCTION: "arn:r:live" }, settings: { recordPoolFunction: "arn:r:live" } },
    {
      environment: { PAWL_LIMITS: '{"namespace":{"names":5},"overrides":{"shop":{"requests":7}}}' },
      settings: { limits: { namespace: { names: 5 }, overrides: { shop: { requests: 7 } } } },
    },
    {
      environment: { PAWL_LIMITS: '{"aws":{"startsPerSecond":0.5}}' },
      settings: { limits: { namespace: {}, overrides: {}, aws: { startsPerSecond: 0.5 } } },
    },
    { environment: { PAWL_NOTIFICATIONS_FILE: "/a" }, settings: { notificationsFile: "/a" } },
    { environment: { PAWL_COMMAND_DOCUMENT: "arn:document" }, settings: { commandDocument: "arn:document" } },
    { environment: { PAWL_NODE_POOLS: "1" }, settings: { nodePools: { ...nodePools, enabled: true } } },
    { environment: { PAWL_NODE_POOLS: "false" }, settings: { nodePools } },
    {
      environment: { PAWL_NODE_POOL_USE_PULL_SECRETS: "true" },
      settings: { nodePools: { ...nodePools, usePullSecrets: true } },
    },
    {
      environment: { PAWL_TAG_CACHE_SECONDS: "1" },
      settings: { nodePools: { ...nodePools, tagCacheSeconds: 1 } },
    },
    {
      environment: { PAWL_TAG_CACHE_SECONDS: "999999999" },
      settings: { nodePools: { ...nodePools, tagCacheSeconds: 999_999_999 } },
    },
    { environment: { PAWL_NAMESPACES: "shop, agents," }, settings: { namespaces: ["shop", "agents"] } },
    { environment: { PAWL_ALLOWED_REGISTRIES: "*,a.corp" }, settings: { allowedRegistries: ["*", "a.corp"] } },
    {
      environment: { PAWL_REGISTRY_LOGINS: '[{"secretArn":"arn:x","namespaces":["shop"]}]' },
      settings: { registryLogins: [{ secretArn: "arn:x", namespaces: ["shop"], repositories: null }] },
    },
    { environment: { PAWL_DENIED_REGISTRIES: "b.example" }, settings: { deniedRegistries: ["b.example"] } },
    { environment: { PAWL_INSECURE_REGISTRIES: "a:5000" }, settings: { insecureRegistries: ["a:5000"] } },
    {
      environment: { PAWL_RUNTIME_IMAGES: "openclaw=mirror.example/openclaw,other=mirror.example/a=b" },
      settings: { runtimeImages: { openclaw: "mirror.example/openclaw", other: "mirror.example/a=b" } },
    },
    { environment: { PAWL_DOCKER_CONFIG: "/d.json" }, settings: { dockerConfig: { kind: "file", path: "/d.json" } } },
    { environment: { PAWL_REGISTRY_SECRET_ARN: secretArn }, settings: { dockerConfig: { kind: "secret", secretArn } } },
    { environment: { PAWL_ECR: "1" }, settings: { ecr: true } },
    { environment: { PAWL_ECR: "0" }, settings: { ecr: false } },
    { environment: { PAWL_USE_PULL_SECRETS: "true" }, settings: { usePullSecrets: true } },
    {
      environment: { PAWL_NOTIFICATION_TARGETS: "team-a,on-call" },
      settings: { notificationTargets: ["team-a", "on-call"] },
    },
    { environment: { PAWL_NOTIFICATION_TARGETS: "," }, settings: { notificationTargets: [] } },
    { environment: { PAWL_HOOKS: "true" }, settings: { hooks: true } },
    { environment: { PAWL_JOB_METRICS: "true" }, settings: { jobMetrics: true } },
    { environment: { PAWL_CONFIG_SECRETS: "1" }, settings: { configSecrets: true } },
    {
      environment: { PAWL_DIGEST_ON_FIRST_SEEN: "adopt" },
      settings: { digests: { onFirstSeen: "adopt", imagePullPolicy: "unchanged" } },
    },
    {
      environment: { PAWL_DIGEST_ON_FIRST_SEEN: "restart", PAWL_DIGEST_IMAGE_PULL_POLICY: "Always" },
      settings: { digests: { onFirstSeen: "restart", imagePullPolicy: "Always" } },
    },
    { environment: { PAWL_DIGEST_IMAGE_PULL_POLICY: "unchanged" }, settings: {} },
    { environment: { POWERTOOLS_METRICS_NAMESPACE: "Mine" }, settings: { metricsNamespace: "Mine" } },
  ])("$environment", ({ environment, settings }) => {
    expect(readSettings(environment)).toEqual({ ...readSettings({}), ...settings });
  });
});

describe("the access to the cluster is", () => {
  const eks = {
    kind: "eks",
    clusterName: "c",
    endpoint: null,
    certificateAuthority: null,
    assumeRoleArn: null,
    externalId: null,
  };
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
        PAWL_EXTERNAL_ID: "id-1",
      },
      access: {
        ...eks,
        region: "eu-west-1",
        endpoint: "https://eks.example",
        certificateAuthority: "UEVN",
        assumeRoleArn: "arn:role",
        externalId: "id-1",
      },
    },
  ])("$access.kind by $environment", ({ environment, access }) => {
    expect(readSettings(environment).access).toEqual(access);
  });
});

test("an empty variable counts as not set", () => {
  const empty = {
    PAWL_KUBECONFIG: "",
    PAWL_EKS_CLUSTER: "",
    PAWL_ECR: "",
    PAWL_NAMESPACES: " , ",
    PAWL_DOCKER_CONFIG: "",
    PAWL_USE_PULL_SECRETS: "",
    PAWL_CONFIG_SECRETS: "",
    PAWL_DIGEST_ON_FIRST_SEEN: "",
    PAWL_DIGEST_IMAGE_PULL_POLICY: "",
    PAWL_POOL_MACHINE_ARN: "",
    PAWL_RECORD_POOL_FUNCTION: "",
    PAWL_COMMAND_DOCUMENT: "",
    PAWL_NODE_POOLS: "",
    PAWL_NODE_POOL_USE_PULL_SECRETS: "",
    PAWL_TAG_CACHE_SECONDS: "",
  };
  expect(readSettings(empty)).toEqual(readSettings({}));
});

describe("problems", () => {
  test.for<{ when: string; environment: Environment; message: string }>([
    {
      when: "two ways to access the cluster are set",
      environment: { PAWL_KUBECONFIG: "/k", PAWL_KUBECONFIG_SECRET_ARN: secretArn },
      message: "PAWL_KUBECONFIG_SECRET_ARN and PAWL_KUBECONFIG are mutually exclusive; set only one of them",
    },
    {
      when: "two docker configs are set",
      environment: { PAWL_DOCKER_CONFIG: "/d", PAWL_REGISTRY_SECRET_ARN: secretArn },
      message: "PAWL_REGISTRY_SECRET_ARN and PAWL_DOCKER_CONFIG are mutually exclusive; set only one of them",
    },
    {
      when: "the region is unknown",
      environment: { PAWL_EKS_CLUSTER: "c" },
      message: "PAWL_EKS_REGION and AWS_REGION are not set; set one of them",
    },
    {
      when: "several are invalid",
      environment: {
        PAWL_EKS_CLUSTER: "c",
        AWS_REGION: "r",
        PAWL_EKS_ENDPOINT: "eks",
        PAWL_ECR: "yes",
        PAWL_USE_PULL_SECRETS: "all",
        PAWL_DIGEST_ON_FIRST_SEEN: "Adopt",
        PAWL_DIGEST_IMAGE_PULL_POLICY: "always",
        PAWL_RUNTIME_IMAGES: "openclaw,=x,ok=y",
        PAWL_PROMETHEUS: "http://p.example,prometheus",
        PAWL_CLOUDWATCH_REGIONS: "eu-central-1,moon",
      },
      message:
        'PAWL_EKS_ENDPOINT "eks" is not a URL; PAWL_ECR "yes" is invalid; use 1 or 0; PAWL_USE_PULL_SECRETS "all" is invalid; use 1 or 0; ' +
        'PAWL_DIGEST_ON_FIRST_SEEN "Adopt" is invalid; use restart or adopt; ' +
        'PAWL_DIGEST_IMAGE_PULL_POLICY "always" is invalid; use unchanged or Always; ' +
        'PAWL_RUNTIME_IMAGES "openclaw" is invalid; use runtime=repository, separated by commas; ' +
        'PAWL_RUNTIME_IMAGES "=x" is invalid; use runtime=repository, separated by commas; ' +
        'PAWL_PROMETHEUS: "prometheus" is not the address of a Prometheus; use service://<namespace>/<service>:<port>, ' +
        "https://<host>[:port][/path] or amp://<region>/<workspace>; " +
        'PAWL_CLOUDWATCH_REGIONS: "moon" is not a region such as eu-central-1',
    },
    {
      when: "several of node pools are invalid",
      environment: {
        PAWL_NODE_POOLS: "on",
        PAWL_NODE_POOL_USE_PULL_SECRETS: "some",
        PAWL_TAG_CACHE_SECONDS: "5m",
      },
      message:
        'PAWL_TAG_CACHE_SECONDS "5m" is invalid; use a whole number of seconds, 1 or more; ' +
        'PAWL_NODE_POOL_USE_PULL_SECRETS "some" is invalid; use 1 or 0; PAWL_NODE_POOLS "on" is invalid; use 1 or 0',
    },
  ])("are all reported together if $when", ({ environment, message }) => {
    expect(() => readSettings(environment)).toThrow(
      expect.objectContaining({ name: "SettingsInvalid", message: message }),
    );
  });
});

test.for(["0", "-1", "1.5", "1e3", "300 ", "1000000000", "five"])("%o is not a number of seconds", (seconds) => {
  expect(() => readSettings({ PAWL_TAG_CACHE_SECONDS: seconds })).toThrow(
    `PAWL_TAG_CACHE_SECONDS "${seconds}" is invalid; use a whole number of seconds, 1 or more`,
  );
});

test("a required setting that is missing is reported when it is used", () => {
  expect(requireSetting("pawl", "PAWL_EVENT_BUS_NAME")).toBe("pawl");
  expect(() => requireSetting(null, "PAWL_EVENT_BUS_NAME")).toThrow("PAWL_EVENT_BUS_NAME is not set");
});

test("the repositories that name images are read, and what is none is a problem", () => {
  const access = {
    apiUrl: null,
    pageUrl: null,
    repository: "shop/config",
    branch: "main",
    mode: "pullRequest",
    appSecretArn: secretArn,
    paths: ["*"],
  };
  const git = [
    { name: "config", namespaces: null, access },
    { name: "shop", namespaces: ["shop-*"], access: null },
  ];
  expect(readSettings({ PAWL_GIT: JSON.stringify(git) }).git).toEqual(git);
  expect(() => readSettings({ PAWL_GIT: "no JSON" })).toThrow("PAWL_GIT: ");
});
