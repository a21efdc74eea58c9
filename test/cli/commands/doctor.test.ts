import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { CheckReport } from "../../../cli/doctor/check.ts";
import { startEmbeddedCluster } from "../../../infra/local/kubernetes/cluster.ts";
import { fakeAws } from "../../support/aws/aws-services.ts";
import { autoUpdate, builtIn } from "../cluster-fixture.ts";
import { answerFor, type Deployment, handlers, healthy } from "../doctor/deployment.ts";
import { readMachine } from "../../machines/asl-files.ts";
import { runPawl } from "../run-pawl.ts";

vi.setConfig({ testTimeout: 60_000 });

interface Given {
  readonly deployment?: Partial<Deployment>;
  readonly cluster?: object;
  readonly shared?: object;
  readonly login?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly kubeconfig?: string;
  readonly command?: readonly string[];
}

interface UpgradePlan {
  readonly parts: readonly CheckReport[];
  readonly steps: readonly string[];
}

const login = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret" };

/** Runs the command on a deployment; the kubeconfig does not exist by default. */
async function doctor(given: Given) {
  const directory = await mkdtemp(join(tmpdir(), "pawl-doctor-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "pawl.json");
  const eks = { clusterName: "prod", region: "eu-west-1" };
  await writeFile(file, JSON.stringify({ clusters: [{ name: "prod", eks, ...given.cluster }], ...given.shared }));
  const kubeconfig = join(directory, "kubeconfig");
  if (given.kubeconfig !== undefined) await writeFile(kubeconfig, given.kubeconfig);
  await using aws = await fakeAws(answerFor({ ...healthy, ...given.deployment }));
  const env = { AWS_ENDPOINT_URL: aws.options.endpoint, AWS_EC2_METADATA_DISABLED: "true", HOME: directory };
  const args = [
    ...(given.command ?? ["doctor"]),
    "--file",
    file,
    "--kubeconfig",
    kubeconfig,
    "--json",
    ...(given.args ?? []),
  ];
  const { stdout, stderr, status } = await runPawl(args, { env: { ...env, ...(given.login ?? login) } });
  const printed = (stdout === "" ? [] : JSON.parse(stdout)) as readonly CheckReport[] | UpgradePlan;
  const { parts: reports, steps } = "steps" in printed ? printed : { parts: printed, steps: [] };
  const find = (name: string) => reports.find(({ check }) => check === name);
  return { reports, steps, find, stderr, status, calls: aws.calls.map(({ operation }) => operation) };
}

const ofAws = [
  "credentials",
  "bootstrap",
  "concurrency",
  "functions",
  "environment",
  "authentication mode",
  "access entries",
  "schedule",
  "change calendars",
  "poll",
  "dead letters",
  "alarms",
  "clock",
];

test("a healthy deployment passes every check of AWS, and only reads", async () => {
  const { reports, calls } = await doctor({});
  const passed = reports.filter(({ result }) => result === "passed").map(({ check }) => check);
  expect(passed).toEqual(ofAws);
  expect(calls.filter((call) => !/^(GET |Get|Describe)/.test(call))).toEqual([]);
});

test.for([
  { concurrency: 10, writerReservedConcurrency: null, isTold: true },
  { concurrency: 26, writerReservedConcurrency: null, isTold: false },
  { concurrency: 25, writerReservedConcurrency: null, isTold: true },
])("says with a quota of $concurrency whether batches and updates share it: $isTold", async (given) => {
  const { concurrency, writerReservedConcurrency, isTold } = given;
  const { find } = await doctor({ deployment: { concurrency }, cluster: { writerReservedConcurrency } });
  const told = /; a poll in batches takes up to 16, .*a quota of 26 above/;
  expect(find("concurrency")?.result).toBe("passed");
  expect(told.test(find("concurrency")?.detail ?? "")).toBe(isTold);
});

test("the batches of the machine are as many as doctor says", () => {
  const { PollBatches } = readMachine("poll-fanout").States;
  expect(PollBatches?.["MaxConcurrency"]).toBe(16);
});

test("each function has its own access entry", async () => {
  const { find, calls } = await doctor({});
  const withCluster = handlers.filter((handler) => handler !== "continue-as-new");
  expect(find("access entries")?.detail).toBe(`${withCluster.length} on prod`);
  expect(calls.filter((call) => call.includes("access-entries"))).toHaveLength(withCluster.length);
});

test("says how many change calendars are open", async () => {
  const { find } = await doctor({ shared: { changeCalendars: ["Open", "Closed"] } });
  expect(find("change calendars")).toMatchObject({ result: "passed", detail: "1 of 2 are open" });
});

describe("fails", () => {
  test.for<{ check: string; when: string; given: Given; detail: string; fix: string }>([
    {
      check: "bootstrap",
      when: "the region has no bootstrap stack",
      given: { deployment: { bootstrap: null } },
      detail: "eu-west-1 has no bootstrap stack",
      fix: 'npx cdk bootstrap --app "" aws://ACCOUNT/eu-west-1',
    },
    {
      check: "bootstrap",
      when: "it is too old",
      given: { deployment: { bootstrap: "5" } },
      detail: "version 5; the CDK needs 6",
      fix: "npx cdk bootstrap",
    },
    {
      check: "change calendars",
      when: "one does not exist",
      given: { shared: { changeCalendars: ["Open", "Lost"] } },
      detail: "no update starts: change calendar Lost: InvalidDocument: there is no such calendar",
      fix: "docs/how-to/gates.md#change-calendars",
    },
    {
      check: "concurrency",
      when: "a new account cannot reserve",
      given: { deployment: { concurrency: 10 }, cluster: { writerReservedConcurrency: 10 } },
      detail: "10 concurrent executions",
      fix: "remove writerReservedConcurrency, or raise the quota",
    },
    {
      check: "concurrency",
      when: "the quota is below 10",
      given: { deployment: { concurrency: 5 } },
      detail: "5 concurrent executions",
      fix: 'raise the quota "Concurrent executions" of Lambda to at least 10',
    },
    {
      check: "functions",
      when: "some are not deployed",
      given: { deployment: { absent: ["poll", "roll-back"] } },
      detail: "are not deployed: poll, roll-back",
      fix: "npx cdk deploy --all",
    },
    {
      check: "functions",
      when: "another version deployed them",
      given: { deployment: { version: "0.0.9" } },
      detail: `${handlers.length} of 0.0.9; this is 0.`,
      fix: "npx cdk deploy --all # stack pawl-prod",
    },
    {
      check: "functions",
      when: "a version that did not write it deployed them",
      given: { deployment: { version: "" } },
      detail: `${handlers.length} of an unknown version; this is 0.`,
      fix: "npx cdk deploy --all # stack pawl-prod",
    },
    {
      check: "environment",
      when: "it is too large",
      given: { deployment: { environment: { PAWL_NAMESPACES: "a".repeat(4096) } } },
      detail: "of 4096 bytes",
      fix: "shorten the lists",
    },
    {
      check: "authentication mode",
      when: "the cluster has no access entries",
      given: { deployment: { authenticationMode: "CONFIG_MAP" } },
      detail: "CONFIG_MAP",
      fix: "aws eks update-cluster-config --name prod --region eu-west-1",
    },
    {
      check: "access entries",
      when: "a function has none",
      given: { deployment: { groupsOf: (name) => (name === "roll-back" ? null : healthy.groupsOf(name)) } },
      detail: "roll-back has none",
      fix: "RequiredAccessEntries",
    },
    {
      check: "access entries",
      when: "one has another group",
      given: { deployment: { groupsOf: (name) => (name === "poll" ? ["pawl:updaters"] : healthy.groupsOf(name)) } },
      detail: "poll lacks pawl:pollers",
      fix: "RequiredAccessEntries",
    },
    {
      check: "access entries",
      when: "Jobs as metrics were enabled since the deployment",
      given: { cluster: { jobMetrics: true } },
      detail: "analyze-canary lacks pawl:hook-runners",
      fix: "RequiredAccessEntries",
    },
    {
      check: "schedule",
      when: "it does not exist",
      given: { deployment: { schedule: null } },
      detail: "group pawl has no schedule prod",
      fix: "npx cdk deploy --all",
    },
    {
      check: "schedule",
      when: "it was disabled",
      given: { deployment: { schedule: { State: "DISABLED", ScheduleExpression: "rate(5 minutes)" } } },
      detail: "DISABLED",
      fix: "enable the schedule prod",
    },
    {
      check: "poll",
      when: "none has completed",
      given: { deployment: { lastPollMinutes: null } },
      detail: "none has completed since",
      fix: "/aws/lambda/pawl-prod-poll",
    },
    {
      check: "dead letters",
      when: "a queue has messages",
      given: { deployment: { deadLetters: { "pawl-notifications-dead-letters": 3 } } },
      detail: "3 in pawl-notifications-dead-letters",
      fix: "docs/how-to/runbook.md#dead-letters",
    },
    {
      check: "alarms",
      when: "one is raised",
      given: { deployment: { raised: ["pawl-prod-circuit-opened"] } },
      detail: "pawl-prod-circuit-opened",
      fix: "docs/how-to/runbook.md",
    },
    {
      check: "clock",
      when: "it is two minutes behind",
      given: { deployment: { clockSeconds: 120 } },
      detail: "behind AWS",
      fix: "synchronize the clock",
    },
    {
      check: "credentials",
      when: "there are none",
      given: { login: {} },
      detail: "CredentialsProviderError",
      fix: "aws sso login",
    },
  ])("$check if $when", async ({ check, given, detail, fix }) => {
    const { find, status } = await doctor(given);
    expect(find(check)).toMatchObject({
      result: "failed",
      detail: expect.stringContaining(detail),
      fix: expect.stringContaining(fix),
    });
    expect(status).toBe(1);
  });
});

describe("says why a check could not be made, and does not pass it", () => {
  test.for([
    { check: "bootstrap", denied: "GetParameter" },
    { check: "concurrency", denied: "GET /2016-08-19/account-settings" },
    { check: "functions", denied: "GET /2015-03-31/functions/" },
    { check: "environment", denied: "GET /2015-03-31/functions/" },
    { check: "authentication mode", denied: "GET /clusters/prod" },
    { check: "access entries", denied: "GET /clusters/prod/access-entries/" },
    { check: "schedule", denied: "GET /schedules/prod" },
    { check: "poll", denied: "GetMetricData" },
    { check: "dead letters", denied: "GetQueueUrl" },
    { check: "alarms", denied: "DescribeAlarms" },
    { check: "change calendars", denied: "GetCalendarState" },
  ])("$check, if the user may not use $denied", async ({ check, denied }) => {
    const shared = { changeCalendars: ["Open"] };
    const { find, status } = await doctor({ deployment: { denied: [denied] }, shared });
    expect(find(check)).toMatchObject({ result: "unknown", detail: expect.stringContaining("AccessDeniedException") });
    expect(status).toBe(3);
  });

  test("without credentials: all of AWS", async () => {
    const { reports, calls } = await doctor({ login: {} });
    expect(calls).toEqual([]);
    for (const { check, result } of reports.filter((one) => one.check !== "credentials"))
      expect([check, result]).toEqual([check, "unknown"]);
  });

  test("without a kubeconfig: the cluster", async () => {
    const { find } = await doctor({});
    expect(find("cluster")).toMatchObject({ result: "unknown", detail: expect.stringContaining("kubeconfig") });
    expect(find("permissions")).toMatchObject({ result: "unknown", detail: expect.stringContaining('"cluster"') });
  });

  test("the schedule, if it is managed elsewhere", async () => {
    const { find, calls } = await doctor({ shared: { schedulesManagedBy: "external" } });
    expect(find("schedule")?.result).toBe("unknown");
    expect(calls.join()).not.toContain("schedules");
  });
});

test("a disabled poll is not missed", async () => {
  const schedule = { State: "DISABLED", ScheduleExpression: "rate(5 minutes)" };
  const { find } = await doctor({
    deployment: { lastPollMinutes: null, schedule },
    cluster: { poll: { enabled: false } },
  });
  expect([find("poll")?.result, find("schedule")?.result]).toEqual(["passed", "passed"]);
});

test("a schedule that was edited in the console passes, and the difference is shown", async () => {
  const { find } = await doctor({ deployment: { schedule: { State: "ENABLED", ScheduleExpression: "rate(1 hour)" } } });
  expect(find("schedule")).toMatchObject({ result: "passed", detail: expect.stringContaining("rate(5 minutes)") });
});

describe("on a cluster", () => {
  test("compares the CRDs with those of this version", async () => {
    const cluster = await startEmbeddedCluster({ now: () => new Date() });
    onTestFinished(() => cluster.close());
    const { find } = await doctor({ kubeconfig: cluster.kubeconfig });
    expect(find("cluster")?.result).toBe("passed");
    const detail = find("custom resources")?.detail ?? "";
    expect(detail).toContain("statefulcanaries.pawl.dev is missing");
    expect(detail).not.toContain("autoupdates.pawl.dev");
    expect(find("custom resources")).toMatchObject({ result: "failed", fix: "kubectl apply -k infra/cluster" });
    expect(find("permissions")).toMatchObject({ result: "unknown", fix: expect.stringContaining("administrator") });
    expect(find("admission policies")).toMatchObject({
      result: "unknown",
      detail: expect.stringContaining("has no validatingadmissionpolicies"),
    });
  });

  test.for([
    { own: {}, names: "deployment/shop/alpine, deployment/shop/slim" },
    { own: { "pawl.dev/versioning": "semver" }, names: null },
  ])("names the workloads whose constraint may mean variants: $names", async ({ own, names }) => {
    const policy = { "pawl.dev/version-constraint": ">=1.0.0-0", ...own };
    const objects = [
      builtIn("Deployment", "alpine", "shop/web:1.0.0-alpine", policy),
      builtIn("Deployment", "plain", "shop/web:1.0.0", policy),
      builtIn("Deployment", "slim", "shop/web:1.0.0-slim", policy),
    ];
    const cluster = await startEmbeddedCluster({ now: () => new Date(), objects });
    onTestFinished(() => cluster.close());
    const { find } = await doctor({ kubeconfig: cluster.kubeconfig });
    expect(find("variants")).toMatchObject(
      names === null
        ? { result: "passed", detail: "clear in 3 workloads" }
        : {
            result: "failed",
            detail: `it is unclear how tags are read, as with a constraint that ends with -0: ${names}`,
          },
    );
  });

  test.for([
    {
      current: "1.0.0",
      result: "passed",
      detail: /^1 of 2 workloads: deployment\/shop\/owned: Helm release shop sets/,
    },
    {
      current: "1.1.0",
      result: "failed",
      detail: /^1 of 2 workloads run what was set in place of the last version of Pawl$/,
    },
  ])("names who sets an image too; after $current: $result", async ({ current, result, detail }) => {
    const owned = builtIn("Deployment", "owned", "shop/web:1.0.0", { "meta.helm.sh/release-name": "shop" });
    const record = autoUpdate("Deployment", "owned", { currentVersion: current });
    const objects = [owned, record, builtIn("Deployment", "plain", "shop/web:1.0.0")];
    const cluster = await startEmbeddedCluster({ now: () => new Date(), objects });
    onTestFinished(() => cluster.close());
    const found = (await doctor({ kubeconfig: cluster.kubeconfig })).find("owners");
    expect(found).toMatchObject({ result, detail: expect.stringMatching(detail) });
    expect(JSON.stringify(found)).toContain("--set VALUE=1.0.0");
  });

  test("proposes write-to for each workload of a GitOps tool whose namespace a repository allows", async () => {
    const repository = {
      name: "config",
      cluster: "prod",
      provider: "github",
      repository: "acme/deploy",
      branch: "main",
    };
    const appSecretArn = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:app-a1B2c3";
    const git = [{ ...repository, appSecretArn, paths: ["apps/*"], namespaces: ["shop"] }];
    const argo = { "argocd.argoproj.io/tracking-id": "shop:apps/Deployment:shop/argo" };
    const flux = { "kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system" };
    const inFlux = builtIn("Deployment", "flux", "shop/web:1.0.0");
    const objects = [
      builtIn("Deployment", "argo", "shop/web:1.0.0", argo),
      { ...inFlux, metadata: { ...inFlux.metadata, labels: flux } },
      { ...inFlux, metadata: { ...inFlux.metadata, labels: flux, namespace: "other" } },
      builtIn("Deployment", "helm", "shop/web:1.0.0", { "meta.helm.sh/release-name": "shop" }),
    ];
    const cluster = await startEmbeddedCluster({ now: () => new Date(), objects });
    onTestFinished(() => cluster.close());
    const { find } = await doctor({ kubeconfig: cluster.kubeconfig, shared: { git } });

    const proposals = (find("owners")?.detail ?? "").split(/; (?=deployment\/)|: (?=deployment\/)/).slice(1);
    const proposed = proposals.filter((text) => text.includes("pawl.dev/write-to: git/config on the workload"));
    expect(proposals).toHaveLength(4);
    expect(proposed.map((text) => text.split(":")[0])).toEqual(["deployment/shop/argo", "deployment/shop/flux"]);
  });

  test.for([
    { ago: 60, result: "passed", detail: /^last poll .* ago by pawl-production, next in / },
    { ago: 90_000, result: "failed", detail: /by pawl-production, after one every 10h: overdue$/ },
    { ago: null, result: "unknown", detail: /no Lease of polls/ },
  ])(
    "needs no configuration, and says by the Lease when it was polled last: $result",
    async ({ ago, result, detail }) => {
      const time = new Date(Date.now() - (ago ?? 0) * 1000).toISOString().replace("Z", "000Z");
      const lease = {
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        metadata: {
          name: "pawl-poll",
          namespace: "kube-system",
          annotations: { "pawl.dev/poll": "pawl-production 36000" },
        },
        spec: { renewTime: time, acquireTime: time },
      };
      const cluster = await startEmbeddedCluster({ now: () => new Date(), objects: ago === null ? [] : [lease] });
      onTestFinished(() => cluster.close());
      const directory = await mkdtemp(join(tmpdir(), "pawl-doctor-"));
      onTestFinished(() => rm(directory, { recursive: true }));
      await writeFile(join(directory, "kubeconfig"), cluster.kubeconfig);
      const ran = await runPawl(["doctor", "--kubeconfig", join(directory, "kubeconfig"), "--json"]);
      const reports = JSON.parse(ran.stdout) as readonly CheckReport[];
      expect(ran.stderr).toMatch(/^pawl: there is no pawl\.json: only the cluster is checked; .*--file\n$/);
      expect(reports.filter(({ check }) => ofAws.includes(check))).toEqual([]);
      expect(reports.find(({ check }) => check === "cluster")?.result).toBe("passed");
      expect(reports.find(({ check }) => check === "last poll")).toMatchObject({
        result,
        detail: expect.stringMatching(detail),
      });
    },
  );

  test("refuses the kubeconfig of another cluster", async () => {
    const cluster = await startEmbeddedCluster({ now: () => new Date() });
    onTestFinished(() => cluster.close());
    const eks = { clusterName: "prod", region: "eu-west-1", endpoint: "https://prod.eks.amazonaws.com" };
    const { find } = await doctor({ kubeconfig: cluster.kubeconfig, cluster: { eks } });
    expect(find("cluster")).toMatchObject({ result: "failed", fix: "use --context" });
    expect(find("custom resources")?.result).toBe("unknown");
  });
});

test.for([
  { shared: { clusters: [] }, args: [], says: "clusters" },
  { shared: {}, args: ["--cluster", "edge"], says: 'has no cluster "edge"; use --cluster with one of: prod' },
])("rejects $args", async ({ shared, args, says }) => {
  const { status, stderr } = await doctor({ shared, args });
  expect(status).toBe(2);
  expect(stderr).toContain(says);
});

describe("pawl upgrade --plan", () => {
  const command = ["upgrade", "--plan"];
  const deploy = "npx cdk deploy --all # stack pawl-prod";

  test("prints what the cluster needs before the functions, and reads functions only", async () => {
    const cluster = await startEmbeddedCluster({ now: () => new Date() });
    onTestFinished(() => cluster.close());
    const older = { version: "0.0.9" };
    const { reports, steps, status, calls } = await doctor({
      command,
      kubeconfig: cluster.kubeconfig,
      deployment: older,
    });
    expect(reports.map(({ check, result }) => `${check} ${result}`)).toEqual([
      "custom resources failed",
      "permissions unknown",
      "admission policies unknown",
      "functions failed",
    ]);
    expect(steps).toEqual([
      "kubectl apply -k infra/cluster",
      expect.stringMatching(/^find out why the permissions could not be compared: /),
      expect.stringMatching(/^find out why the admission policies could not be compared: /),
      deploy,
      "npx --no-install pawl doctor",
    ]);
    expect(status).toBe(3);
    expect(calls.filter((call) => !call.startsWith("GET /2015-03-31/functions/"))).toEqual([]);
  });

  test("says what cannot be compared without a cluster and without a login", async () => {
    const { reports, steps, status } = await doctor({ command, login: {} });
    expect(new Set(reports.map(({ result }) => result))).toEqual(new Set(["unknown"]));
    expect(steps[0]).toMatch(/^find out why the custom resources could not be compared: .*kubeconfig/);
    expect([steps.length, status]).toEqual([5, 3]);
  });

  test("needs --plan: it takes no step itself", async () => {
    const { stderr, status } = await doctor({ command: ["upgrade"] });
    expect(stderr).toContain("'--plan' not specified");
    expect(status).toBe(2);
  });
});
