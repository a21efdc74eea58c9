import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { imageTarget } from "../../support/workloads.ts";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";

const history = [
  { version: "1.0.0", result: "Healthy", startedAt: "2026-11-20T12:00:00Z" },
  { version: "1.2.0", result: "RolledBack", startedAt: "2026-11-20T13:00:00Z", reason: "not ready after 10 m" },
];

const crdFile = new URL("../../../infra/cluster/crds/stateful-canary.yaml", import.meta.url);
const statefulCanaryCrd = parse(readFileSync(crdFile, "utf8")) as object;

const openObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

function customResource(group: string, version: string, plural: string, kind: string): object {
  const versions = [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: openObject } }];
  const names = { plural, singular: kind.toLowerCase(), kind };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: "Namespaced", names, versions },
  };
}

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({ "shop/web": ["1.0.0", "1.1.0", "1.2.0", "2.0.0", "latest"] }, (registry) => [
    builtIn("Deployment", "web", `${registry}/shop/web:1.0.0`, {
      "pawl.dev/version-constraint": "^1",
      "pawl.dev/on-failure": "tryOlder",
      "argocd.argoproj.io/tracking-id": "shop:apps/Deployment:shop/web",
    }),
    customResource("argoproj.io", "v1alpha1", "applications", "Application"),
    { apiVersion: "argoproj.io/v1alpha1", kind: "Application", metadata: { name: "shop", namespace: "argocd" } },
    autoUpdate("Deployment", "web", { currentVersion: "1.0.0", failedVersions: ["1.2.0"], rollbackCount: 1, history }),
    builtIn("Deployment", "lost", `${registry}/shop/lost:1.0.0`),
    builtIn("Deployment", "asked", `${registry}/shop/web:1.0.0`, { "pawl.dev/schedule": "0 3 * * *" }),
    builtIn("Deployment", "proposed", `${registry}/shop/web:1.0.0`, { "pawl.dev/write-to": "git/config" }),
    autoUpdate("Deployment", "proposed"),
    builtIn("Deployment", "typo", `${registry}/shop/web:1.0.0`, {
      "pawl.dev/auto-update": "false",
      "pawl.dev/canray": "1",
    }),
    builtIn("Deployment", "yes", `${registry}/shop/web:1.0.0`, { "pawl.dev/auto-update": "yes" }),
    {
      apiVersion: "claw.prismer.ai/v1alpha1",
      kind: "Claw",
      metadata: { name: "helper", namespace: "shop", annotations: { "pawl.dev/paused": "true" } },
      spec: { runtime: "openclaw", autoUpdate: { enabled: true, versionConstraint: "^1" } },
    },
    statefulCanaryCrd,
    {
      apiVersion: "pawl.dev/v1alpha1",
      kind: "StatefulCanary",
      metadata: { name: "db", namespace: "shop" },
      spec: {
        totalReplicas: 2,
        canaryImage: `${registry}/shop/db:1.1.0`,
        template: {
          serviceName: "db",
          template: { spec: { containers: [{ name: "app", image: `${registry}/shop/db:1.0.0` }] } },
        },
      },
    },
  ]);
});
afterAll(() => fixture.close());

const registry = () => ["--insecure-registry", fixture.registry];

test.for([
  { given: {}, says: /^Argo CD Application shop sets .*=true\]$/ },
  {
    given: { sync: { revision: "abc123", status: "Synced" }, health: { status: "Degraded" } },
    says: /^Argo CD Application shop sets .*=true\]; it is at abc123 \(Synced, Degraded\)$/,
  },
])("says at which revision an Application is, if it can be read: $given", async ({ given, says }) => {
  await fixture.edit("argoproj.io/v1alpha1/namespaces/argocd/applications/shop", { status: given });
  const { stdout } = await fixture.pawl("explain", "shop/web", "--json", ...registry());
  expect(JSON.parse(stdout)).toMatchObject({ owner: expect.stringMatching(says) });
});

test("says what the next poll does, and why each tag is passed over", async () => {
  const { stdout, stderr, status } = await fixture.pawl("explain", "shop/web", ...registry());
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  expect(stdout).toMatch(/^deployment\/shop\/web\n/);
  for (const line of [
    /another owner: +Argo CD Application shop sets the image too; set in the Application spec\.ignoreDifferences: .*RespectIgnoreDifferences=true/,
    /next poll: +Behind: update to \S+:1\.1\.0 is due: the newest version that satisfies \^1 \(1\.1\.0\)/,
    /Policy, from the annotations of the workload:/,
    /version constraint +\^1/,
    /after a failure +tries older versions/,
    /2\.0\.0 +does not satisfy \^1/,
    /1\.2\.0 +has failed before/,
    /1\.1\.0 +-/,
    /1\.0\.0 +is not newer than 1\.0\.0/,
    /latest +is not a version/,
    /1\.2\.0 +RolledBack +2026-11-20T13:00:00Z +not ready after 10 m/,
  ])
    expect(stdout).toMatch(line);
});

test("without an answer of the registry it says so, and shows the rest", async () => {
  const { stdout, status } = await fixture.pawl("explain", "shop/lost", ...registry());
  expect(status).toBe(0);
  expect(stdout).toMatch(/next poll: +(Stalled|NotEvaluated): .*shop\/lost/);
  expect(stdout).not.toContain("Tags:");
});

test("--json has all of it", async () => {
  const { stdout } = await fixture.pawl("explain", "shop/web", ...registry(), "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    status: { state: "NotEvaluated", reason: "AwaitsPoll" },
    nextPoll: { state: "Behind", reason: "UpdateDue", candidate: "1.1.0" },
    policy: { from: "annotations of the workload" },
    tags: expect.arrayContaining([{ tag: "1.1.0", reason: null }]),
    lastAttempts: [{ version: "1.2.0" }, { version: "1.0.0" }],
  });
});

test("a workload that was never polled is not up to date", async () => {
  const { stdout } = await fixture.pawl("explain", "shop/lost", ...registry());
  expect(stdout).toMatch(/state: +NotEvaluated: /);
  expect((await fixture.pawl("explain", "shop/asked", ...registry())).stdout).toMatch(/due next: +\S+T03:00:00Z/);
});

test("an update whose image is in git names the address of its pull request", async () => {
  const { uid } = (await fixture.object("apps/v1/namespaces/shop/deployments/proposed")).metadata;
  const since = "2026-11-20T12:00:00Z";
  const url = "https://github.example/shop/config/pull/7";
  const image = `${fixture.registry}/shop/web`;
  const target = imageTarget(`${image}:1.1.0`);
  const claim = { phase: "Claimed", strategy: "Rolling", holder: "pawl", execution: "e-1", expiresAt: since };
  const update = { ...claim, target, previousImage: `${image}:1.0.0`, startedAt: since, targetUID: uid };
  await fixture.writeStatus("deployment-proposed", {
    currentVersion: "1.0.0",
    update: { ...update, git: { repository: "config", since, url } },
  });
  const { stdout } = await fixture.pawl("explain", "shop/proposed", ...registry());
  expect(stdout).toMatch(new RegExp(`in git: +${url}`));
});

describe("a misspelt setting is a problem of the next poll, with the nearest name", () => {
  test.for([
    { name: "typo", problem: /pawl\.dev\/canray: is not an annotation of Pawl; did you mean pawl\.dev\/canary/ },
    { name: "yes", problem: /pawl\.dev\/auto-update "yes": is neither "true" nor "false"/ },
  ])("$name", async ({ name, problem }) => {
    const planned = await fixture.pawl("plan", "-n", "shop", ...registry());
    expect(planned.status).toBe(1);
    const row = planned.stdout.split("\n").find((line) => line.startsWith(`deployment/shop/${name} `)) ?? "";
    expect(row).toMatch(/ Stalled /);
    expect(row).toMatch(problem);
    const explained = await fixture.pawl("explain", `shop/${name}`, ...registry());
    expect(explained.stdout).toMatch(new RegExp(`next poll: +Stalled: ${problem.source}`));
  });
});

describe("kinds without tags or without a circuit", () => {
  test("a StatefulCanary has neither", async () => {
    const { stdout } = await fixture.pawl("explain", "statefulcanary", "db", "-n", "shop", ...registry());
    expect(stdout).toMatch(/^statefulcanary\/shop\/db\n +state: +Stalled: spec: set either canaryReplicas/);
    expect(stdout).toMatch(/Policy, from the spec of the StatefulCanary:\n(.*\n)*health timeout/);
    expect(stdout).not.toMatch(/circuit|constraint|schedule|Tags|9007199254740991/);
    expect((await fixture.pawl("status", "shop/db")).stdout).toMatch(/ Stalled +1\.0\.0 +- /);
  });

  test("a Claw", async () => {
    const { stdout } = await fixture.pawl("explain", "claw/shop/helper", ...registry());
    expect(stdout).toMatch(/next poll: +Held: .*paused/);
    expect(stdout).toMatch(/closed gate: +suspended: .*; run "pawl resume"/);
    expect(stdout).toMatch(/Policy, from the spec.autoUpdate of the Claw:\n(.*\n)*version constraint +\^1/);
  });
});

test("several names at once", async () => {
  const { stdout, status } = await fixture.pawl("explain", "deployment", "web", "lost", "-n", "shop", ...registry());
  expect(status).toBe(0);
  expect(stdout).toMatch(/^deployment\/shop\/web\n(.*\n)+\ndeployment\/shop\/lost\n/);
  const documents = await fixture.pawl("explain", "shop/web", "shop/lost", ...registry(), "-o", "json");
  expect(JSON.parse(documents.stdout)).toMatchObject([
    { nextPoll: { state: "Behind" } },
    { nextPoll: { state: "Stalled" } },
  ]);
});
