import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Change } from "../../../functions/domain/workload/update/change.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { fakeAws, refusalOf } from "../../support/aws/aws-services.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { startPawlLocal } from "../../support/pawl-process.ts";
import { imageTarget } from "../../support/workloads.ts";
import { answerRequests } from "../answer-requests.ts";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";
import { recordReleases } from "../recorded-releases.ts";
import { runPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let fixture: ClusterFixture;

const named = (kind: string, name: string, parts: object = {}) => ({
  apiVersion: "v1",
  kind,
  metadata: { name, namespace: "shop" },
  ...parts,
});

/** Returns a Deployment whose pods need objects of this name. */
function needing(name: string, image: string, object: string) {
  const { spec, ...deployment } = builtIn("Deployment", name, image);
  const [container] = spec.template.spec.containers;
  const env = [{ name: "LEVEL", valueFrom: { configMapKeyRef: { name: object, key: "level" } } }];
  const envFrom = [{ secretRef: { name: object } }, { configMapRef: { name: "absent", optional: true } }];
  const pods = {
    containers: [{ ...container, env, envFrom }],
    serviceAccountName: object,
    volumes: [{ name: "data", persistentVolumeClaim: { claimName: object } }],
  };
  return { ...deployment, spec: { ...spec, template: { ...spec.template, spec: pods } } };
}

const names = ["web", "bare", "canary", "again", "polled", "local"];

beforeAll(async () => {
  fixture = await startClusterFixture({ "shop/web": ["1.0.0", "1.1.0"] }, (registry) => {
    const image = (tag: string) => `${registry}/shop/web:${tag}`;
    return [
      needing("web", image("1.0.0"), "there"),
      needing("bare", image("0.9.0"), "gone"),
      needing("canary", image("1.0.0"), "needed"),
      ...["again", "polled", "local"].map((name) => builtIn("Deployment", name, image("1.0.0"))),
      ...names.map((name) => autoUpdate("Deployment", name)),
      named("ConfigMap", "there", { data: { level: "info" } }),
      named("Secret", "there", { data: {} }),
      named("ServiceAccount", "there"),
      named("PersistentVolumeClaim", "there", { spec: {} }),
    ];
  });
  const image = (tag: string) => `${fixture.registry}/shop/web:${tag}`;
  for (const name of names)
    await recordReleases(fixture, name, [image(name === "bare" ? "0.9.0" : "1.0.0"), image("1.1.0")]);
  await startCanary("canary");
});
afterAll(() => fixture.close());

/** Records the claim of a canary. */
async function startCanary(name: string): Promise<void> {
  const path = `apps/v1/namespaces/shop/deployments/${name}`;
  const update = {
    phase: "Applied",
    strategy: "Canary",
    hasCanary: true,
    holder: "arn:one",
    execution: "shop-web-1-2-0-abc",
    expiresAt: "2026-11-20T12:25:00Z",
    target: imageTarget(`${fixture.registry}/shop/web:1.2.0`),
    previousImage: `${fixture.registry}/shop/web:1.1.0`,
    targetGeneration: 2,
    startedAt: "2026-11-20T12:00:00Z",
    targetUID: (await fixture.object(path)).metadata.uid,
  };
  await fixture.annotate(path, { "pawl.dev/canary": "1" });
  await fixture.writeStatus(`deployment-${name}`, { update });
}

const rollback = (name: string, ...args: readonly string[]) =>
  fixture.pawl("rollback", `shop/${name}`, "--insecure-registry", fixture.registry, ...args);

async function requestOf(name: string): Promise<string | undefined> {
  const path = `pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-${name}`;
  return (await fixture.annotations(path))["pawl.dev/request"];
}

const unsigned =
  "not checked: signatures: no pawl.json is named with -c; the execution verifies them before it writes\n";

describe("pawl rollback looks first", () => {
  test("and refuses a release whose pods need what is missing, with each name", async () => {
    const { stderr, status } = await rollback("bare", "--to", "1");
    const [unchecked, refusal, ...rest] = stderr.split("\n");
    expect([`${unchecked}\n`, ...rest]).toEqual([`pawl: deployment/shop/bare: ${unsigned}`, ""]);
    expect(refusal?.replaceAll(fixture.registry, "REGISTRY")).toMatch(
      new RegExp(
        "^pawl: deployment/shop/bare: release 1 cannot be restored: configmap/gone: does not exist; create it, or make the reference optional; " +
          "secret/gone: does not exist; create it, or make the reference optional; serviceaccount/gone: does not exist; create it; " +
          "persistentvolumeclaim/gone: does not exist; create it; image REGISTRY/shop/web:0.9.0.*answered 404.*; or use --no-preflight$",
      ),
    );
    expect([status, await requestOf("bare")]).toEqual([1, undefined]);
  });

  test("and writes the request if everything exists", async () => {
    const { stderr, status } = await rollback("web", "--to", "1", "--no-wait");
    expect([stderr, status]).toEqual([`pawl: deployment/shop/web: ${unsigned}`, 0]);
    expect(await requestOf("web")).toMatch(/^rollback 1 [0-9a-f-]{36}$/);
  });

  test("unless it must not", async () => {
    const { stderr, status } = await rollback("bare", "--to", "1", "--no-wait", "--no-preflight");
    expect([stderr, status, await requestOf("bare")]).toEqual(["", 0, expect.stringMatching(/^rollback 1 /)]);
  });

  test("and refuses a release number that was never", async () => {
    const { stderr, status } = await rollback("web", "--to", "7");
    const message = "pawl: deployment/shop/web: there is no release 7; recorded are 1, 2\n";
    expect([stderr, status]).toEqual([message, 1]);
  });
});

/** Answers as the execution of the canary does and, once that has ended, as a poll. */
function answer({ inFlight, request }: Workload): Change | null {
  if (request === null) return null;
  const { token, verb } = request;
  const result = inFlight === null ? "rollback to release 1 is requested" : "the canary is removed";
  return { ...(inFlight === null ? {} : { inFlight: null }), answer: { token, verb, result } };
}

describe("pawl rollback --to during a canary", () => {
  test.for([
    { args: ["--to", "1"], reason: "is in flight; to abort it first, use pawl rollback --abort-canary" },
    { args: ["--to", "9", "--abort-canary"], reason: "there is no release 9; recorded are 1, 2" },
    { args: ["--to", "1", "--abort-canary"], reason: "configmap/needed: does not exist" },
  ])("$args is refused, and aborts nothing: $reason", async ({ args, reason }) => {
    const { stderr, status } = await rollback("canary", ...args);
    expect([stderr, status]).toEqual([expect.stringContaining(reason), 1]);
    expect(await requestOf("canary")).toBeUndefined();
  });

  test("and --no-wait is a usage error", async () => {
    const { stderr, status } = await rollback("canary", "--to", "1", "--abort-canary", "--no-wait");
    expect([stderr, status]).toEqual([expect.stringContaining("remove --no-wait"), 2]);
  });

  test.for([
    {
      to: "1",
      stdout: "rollback to release 1 is requested",
      stderr: [unsigned.trimEnd(), "aborts the update in flight first", "the next poll handles it"],
      written: /^rollback 1 /,
    },
    // The stable pods run it.
    {
      to: "2",
      stdout: "the canary is removed",
      stderr: ["the next check of the update handles it"],
      written: /^abort /,
    },
  ])("with --abort-canary aborts it, and then release $to runs", async ({ to, stdout, stderr, written }) => {
    await startCanary("again");
    const ran = await answerRequests(fixture.cluster, () => rollback("again", "--to", to, "--abort-canary"), answer);
    const line = (text: string) => `deployment/shop/again: ${text}\n`;
    expect(ran).toEqual({
      stdout: line(stdout),
      stderr: stderr.map((text) => `pawl: ${line(text)}`).join(""),
      status: 0,
    });
    expect(await requestOf("again")).toMatch(written);
  });
});

describe("pawl rollback --now", () => {
  test("is a usage error where nothing polls, and nothing is written", async () => {
    const { stderr, status } = await rollback("polled", "--to", "1", "--now");
    expect([stderr, status]).toEqual([expect.stringContaining("--now: no pawl local polls this cluster"), 2]);
    expect(await requestOf("polled")).toBeUndefined();
  });

  /** Runs the command beside a configuration, on an account that answers like this. */
  async function onAws(name: string, isAllowed: boolean, access: object = {}) {
    const directory = await mkdtemp(join(tmpdir(), "pawl-now-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = join(directory, "pawl.json");
    const clusters = [{ name: "prod", eks: { clusterName: "prod", region: "eu-west-1", ...access } }];
    await writeFile(file, JSON.stringify({ clusters }));
    await using aws = await fakeAws(() =>
      isAllowed ? { status: 202, body: {} } : refusalOf("AccessDeniedException", 403),
    );
    const login = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret", HOME: directory };
    const env = { ...login, AWS_ENDPOINT_URL: aws.options.endpoint ?? "", KUBECONFIG: fixture.kubeconfig };
    const args = ["rollback", `shop/${name}`, "--to", "1", "--now", "--no-wait", "-c", file];
    const ran = await runPawl([...args, "--insecure-registry", fixture.registry], { env });
    return { ...ran, calls: aws.calls };
  }

  test("writes nothing if the caller may not invoke the poll", async () => {
    const { stderr, status, calls } = await onAws("polled", false);
    expect([stderr, status, calls.length]).toEqual([
      expect.stringContaining("pawl-prod-poll in eu-west-1 cannot be invoked: AccessDeniedException"),
      3,
      1,
    ]);
    expect(await requestOf("polled")).toBeUndefined();
  });

  test("writes nothing if the configuration is of another cluster than the kubeconfig", async () => {
    const pem = "-----BEGIN CERTIFICATE-----\nQ0E=\n-----END CERTIFICATE-----\n";
    const access = {
      endpoint: "https://ABC.gr7.eu-west-1.eks.amazonaws.com",
      certificateAuthority: Buffer.from(pem).toString("base64"),
    };
    const { stderr, status, calls } = await onAws("polled", true, access);
    expect([stderr, status, calls]).toEqual([
      expect.stringContaining("is https://ABC.gr7.eu-west-1.eks.amazonaws.com; use --context"),
      2,
      [],
    ]);
    expect(await requestOf("polled")).toBeUndefined();
  });

  test("invokes the poll for this workload alone", async () => {
    const { stdout, stderr, status, calls } = await onAws("polled", true);
    const handled = "deployment/shop/polled: a poll that was asked for handles it\n";
    expect([stdout, stderr, status]).toEqual([handled, "", 0]);
    expect(await requestOf("polled")).toMatch(/^rollback 1 /);
    const payload = { cluster: "prod", workloads: [{ kind: "Deployment", namespace: "shop", name: "polled" }] };
    const operation = "POST /2015-03-31/functions/pawl-prod-poll/invocations?Qualifier=live";
    expect(calls.map((call) => [call.operation, call.invocationType, JSON.parse(call.body)])).toEqual(
      ["DryRun", "Event"].map((type) => [operation, type, payload]),
    );
  });

  test("is handled by a running pawl local long before its next poll", async () => {
    const flags = ["--kubeconfig", fixture.kubeconfig, "--insecure-registry", fixture.registry];
    const local = startPawlLocal([...flags, "--releases", "--interval", "24h", "--yes", "--verbose"]);
    onTestFinished(() => local.kill());
    await local.until("its first poll", ({ kind }) => kind === "poll");
    const env = { KUBECONFIG: fixture.kubeconfig, TMPDIR: tmpdir() };
    const args = ["rollback", "shop/local", "--to", "1", "--now", "--insecure-registry", fixture.registry];
    // A usage error, until it has said where it is.
    const { stdout, status } = await eventually("pawl local is known", async () => {
      const ran = await runPawl(args, { env });
      return ran.status !== 2 && ran;
    });
    expect([stdout, status]).toEqual([expect.stringContaining("rollback to release 1 is requested: execution "), 0]);
  });
});
