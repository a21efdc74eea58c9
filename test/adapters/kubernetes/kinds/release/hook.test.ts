import { afterAll, expect, test } from "vitest";
import { createKubernetesCluster } from "../../../../../functions/adapters/kubernetes/cluster.ts";
import { hold } from "../../../../../functions/domain/workload/decision/decision.ts";
import { checkHook } from "../../../../../functions/handlers/check-hook.ts";
import { recordSuccess } from "../../../../../functions/handlers/record-success.ts";
import { restoreRelease } from "../../../../../functions/handlers/restore-release.ts";
import { runHook } from "../../../../../functions/handlers/run-hook.ts";
import { recordDecision } from "../../../../../functions/workflows/poll/record/record-check.ts";
import { openHarness } from "../../../../contracts/cluster/harness.ts";
import { cronJob } from "../../../../support/workloads/cron-jobs.ts";
import { fakePorts } from "../../../../support/fake-ports.ts";
import { createKubectl } from "../../../../support/kubectl.ts";
import { noon } from "../../../../support/workloads.ts";
import { startCluster } from "../../embedded-cluster.ts";
import { requestOf } from "../../../../support/request-of.ts";

const server = await startCluster();
afterAll(() => server.close());

const image = (tag: string) => `registry.invalid/shop/web:${tag}`;
const labels = { app: "web" };
const hooks = { pre: { job: "migrate", runOn: ["rollback"] }, post: { job: "migrate", runOn: ["rollback"] } };
const web = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name: "web",
    annotations: { "pawl.dev/auto-update": "true", "pawl.dev/hooks": JSON.stringify(hooks) },
  },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "app", image: image("1.0.0") }] } },
  },
} as const;

/** Returns a Deployment whose release 2 runs, and whose rollback to release 1 waits for its hook, of this image. */
async function openWaiting(hookImage: string) {
  const harness = await openHarness(server.kubeConfig);
  const { namespace, kubeConfig } = harness;
  const kubectl = createKubectl(kubeConfig, namespace, () => new Date());
  const warn = (message: string) => process.emitWarning(message);
  const settings = { name: "embedded", kubeConfig, namespaces: [namespace], releases: true, now: () => noon, warn };
  const ports = { ...fakePorts({}), cluster: createKubernetesCluster(settings) };
  const cronJobs = `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
  await harness.request("POST", cronJobs, { body: cronJob("migrate", hookImage, { suspend: true, annotations: {} }) });
  await kubectl.create(web);
  const { uid = "" } = (await kubectl.get("Deployment", "web")).metadata;
  const ref = { apiVersion: "apps/v1", kind: "Deployment", namespace, name: "web", uid };
  const read = async () => (await ports.cluster.read(ref))!;
  for (const tag of ["1.0.0", "1.1.0"]) {
    await kubectl.setImage("Deployment", "web", image(tag));
    const isReady = async () => {
      const { rollout } = await read();
      return rollout?.image === image(tag) && rollout.readyReplicas === 2 && rollout.oldReplicas === 0;
    };
    await expect.poll(isReady, { timeout: 20_000 }).toBe(true);
    await recordDecision(ports, await read(), hold("no-newer-version", "nothing newer"));
  }
  await ports.cluster.request(await read(), requestOf("rollback 1 t-1"));
  const input = {
    cluster: "embedded",
    strategy: "release",
    digests: "",
    adopting: false,
    execution: "e-1",
    workload: ref,
    target: { kind: "release", image: image("1.0.0"), number: 1 },
    executionStartedAt: noon.toISOString(),
  } as const;
  expect(await restoreRelease(ports, input)).toMatchObject({ kind: "hook" });
  const jobs = async () => {
    const { body } = await harness.request("GET", `/apis/batch/v1/namespaces/${namespace}/jobs`);
    return (body as unknown as { readonly items: readonly object[] }).items.length;
  };
  const runs = async () => (await kubectl.get("Deployment", "web")).spec.template.spec.containers[0]?.image;
  return { ports, kubectl, input, read, jobs, runs };
}

test("the template of a release is restored after its hook, also by an execution that adopts it", async () => {
  const { ports, input, read, jobs, runs } = await openWaiting(image("1.0.0"));
  await runHook(ports, input);
  const adopting = { ...input, execution: "e-2", adopting: true };
  expect(await restoreRelease(ports, adopting)).toMatchObject({ kind: "hook" });
  expect(await runs()).toBe(image("1.1.0"));
  await expect.poll(async () => (await checkHook(ports, adopting)).kind).toBe("restore");
  expect(await restoreRelease(ports, adopting)).toMatchObject({ kind: "applied" });
  expect([await runs(), await jobs()]).toEqual([image("1.0.0"), 1]);
  expect(await recordSuccess(ports, adopting)).toMatchObject({ kind: "hook" });
  await runHook(ports, adopting);
  await expect.poll(async () => (await checkHook(ports, adopting)).kind).toBe("record");
  expect(await recordSuccess(ports, adopting)).toMatchObject({ kind: "recorded" });
  expect(await jobs()).toBe(2);
  expect((await read()).releases?.list.at(-1)).toMatchObject({ number: 3, version: "1.0.0", result: "Succeeded" });
});

test("a hook that fails leaves the template, and answers the request", async () => {
  const { ports, input, read, runs } = await openWaiting("registry.invalid/shop/migrate:1-bad");
  await runHook(ports, input);
  await expect.poll(async () => (await checkHook(ports, input)).kind).toBe("failed");
  const { inFlight, lastRequest, updateRecord } = await read();
  expect([await runs(), inFlight]).toEqual([image("1.1.0"), null]);
  expect(lastRequest).toMatchObject({ verb: "rollback", result: expect.stringContaining("migrate failed") });
  expect(updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [] });
  expect(updateRecord.versionHistory.at(-1)).toMatchObject({ status: "HookFailed", release: 1 });
});

/** Runs the hook to its end. */
async function succeed(...[ports, input]: Parameters<typeof checkHook>): Promise<void> {
  await runHook(ports, input);
  await expect.poll(async () => (await checkHook(ports, input)).kind).toBe("restore");
}

test.for([
  { when: "runs", wait: runHook },
  { when: "has succeeded", wait: succeed },
])("a person who changes the template while the hook $when takes precedence", async ({ wait }) => {
  const { ports, kubectl, input, runs } = await openWaiting(image("1.0.0"));
  await wait(ports, input);
  await kubectl.setImage("Deployment", "web", image("1.0.5"));
  expect(await runHook(ports, input)).toMatchObject({ kind: "superseded" });
  expect(await restoreRelease(ports, input)).toMatchObject({ kind: "superseded" });
  expect(await runs()).toBe(image("1.0.5"));
});
