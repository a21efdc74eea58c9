import { describe, expect, onTestFinished, test } from "vitest";
import { autoUpdatePath, statusOf } from "../../../../contracts/cluster/auto-update/harness.ts";
import {
  claimCanary,
  createRunning,
  getCanaryDeployment,
  waitForCanary,
} from "../../../../contracts/cluster/canary/harness.ts";
import {
  change,
  createWorkload,
  type Harness,
  openHarness,
  patchObject,
  read,
} from "../../../../contracts/cluster/harness.ts";
import { claim, succeed } from "../../../../contracts/cluster/steps.ts";
import { startCluster } from "../../embedded-cluster.ts";
import { clusterAt, type RecordedRequest, startScriptedServer, statusReply } from "../../api/scripted-server.ts";
import { textsOf } from "../../../../support/problems.ts";

const cluster = await startCluster();

/** Opens a harness whose port uses a proxy, and notes the requests of the port. */
async function openProxied(isDenied: (request: RecordedRequest) => boolean = () => false) {
  const proxy = await startScriptedServer(async (request) => {
    if (isDenied(request)) return statusReply(403, "Forbidden");
    const { method, path, accept, contentType, body } = request;
    const headers = { accept, ...(contentType === "" ? {} : { "content-type": contentType }) };
    const answer = await fetch(`${cluster.url}${path}`, { method, headers, ...(body === "" ? {} : { body }) });
    return { code: answer.status, body: await answer.text() };
  });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const direct = await openHarness(cluster.kubeConfig);
  const port = clusterAt(proxy.url, { namespaces: [direct.namespace], now: () => direct.now });
  const proxied: Harness = { ...direct, cluster: port };
  return { direct, proxied, requests: proxy.requests };
}

const noCanary = { metadata: { annotations: { "pawl.dev/canary": null } } };
const isCanaryDelete = ({ method, path }: RecordedRequest) => method === "DELETE" && path.includes("-canary");

describe("a role that must not delete a canary", () => {
  test("releases the claim; the canary is left for the next poll", async () => {
    const { direct, proxied, requests } = await openProxied(isCanaryDelete);
    const ref = await createRunning(() => direct, "Deployment");
    await change(direct, ref, claimCanary());
    await waitForCanary(direct, ref);
    const released = await change(proxied, ref, () => ({ inFlight: null }));
    expect(requests.filter(isCanaryDelete)).toHaveLength(1);
    expect(released).toMatchObject({ inFlight: null, isCanaryLeft: true });
    expect(await statusOf(direct, ref)).not.toHaveProperty("update");
    expect(await getCanaryDeployment(direct, ref)).not.toBeNull();
    expect(await change(direct, ref, () => ({ canary: null }))).toMatchObject({ isCanaryLeft: false });
  });

  test.for([
    { what: "the end of a promotion", step: () => ({ canary: null }) },
    { what: "a cleanup", step: () => ({ inFlight: null, canary: null }) },
  ])("fails if $what needs it, and keeps the claim", async ({ step }) => {
    const { direct, proxied } = await openProxied(isCanaryDelete);
    const ref = await createRunning(() => direct, "Deployment");
    await change(direct, ref, claimCanary());
    await waitForCanary(direct, ref);
    const workload = await read(proxied, ref);
    await expect(proxied.cluster.change(workload, step())).rejects.toMatchObject({ name: "AdmissionDenied" });
    expect(await statusOf(direct, ref)).toHaveProperty("update.hasCanary", true);
    expect(await getCanaryDeployment(direct, ref)).not.toBeNull();
  });
});

describe("whether a canary is left is asked only if one may be", () => {
  test.for([
    { when: "no update was recorded", steps: [], isDeleted: false, expected: 0 },
    { when: "the last update is in the history", steps: [claim, succeed], isDeleted: false, expected: 0 },
    { when: "the record of the last update was deleted", steps: [claim], isDeleted: true, expected: 1 },
  ])("$when: $expected requests", async ({ steps, isDeleted, expected }) => {
    const { direct, proxied, requests } = await openProxied();
    const ref = await createRunning(() => direct, "Deployment");
    await patchObject(direct, ref, noCanary);
    for (const step of steps) await change(direct, ref, step);
    if (isDeleted) await direct.request("DELETE", autoUpdatePath(ref));
    for await (const _ of proxied.cluster.list());
    expect(requests.filter(({ method, path }) => method === "GET" && path.includes("-canary"))).toHaveLength(expected);
  });
});

test("another Deployment of the canary's name is only a problem while a canary is requested", async () => {
  const { direct } = await openProxied();
  const ref = await createRunning(() => direct, "Deployment");
  await change(direct, ref, claim);
  await direct.request("DELETE", autoUpdatePath(ref));
  await createWorkload(direct, "Deployment", { name: `${ref.name}-canary`, optIn: null });
  expect(textsOf((await read(direct, ref)).problems)).toEqual([expect.stringContaining("is not managed by Pawl")]);
  await patchObject(direct, ref, noCanary);
  expect(await read(direct, ref)).toMatchObject({ problems: [], isCanaryLeft: false });
});
