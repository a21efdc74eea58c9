import { beforeAll, expect, test, vi } from "vitest";
import { mergePatch, unique, type At } from "./harness.ts";
import { workload, workloadsIn } from "./samples.ts";

interface Discovery {
  readonly resources: readonly { readonly name: string; readonly group?: string; readonly version?: string }[];
}

/** Tests with two running pods, under a PodDisruptionBudget that at first allows no disruption. */
export function testEviction(at: At): void {
  const name = unique("web");
  const patience = { timeout: 60_000 };
  let apiVersion: string;
  let budget: string;

  const podsPath = () => `/api/v1/namespaces/${at().namespace}/pods`;
  const pods = async () => {
    const { body } = await at().request("GET", `${podsPath()}?labelSelector=app%3D${name}`);
    return body.items ?? [];
  };
  const aPod = async () => (await pods())[0]?.metadata ?? {};
  const evict = (pod = "", rest: object = {}) => {
    const body = { apiVersion, kind: "Eviction", metadata: { name: pod, namespace: at().namespace }, ...rest };
    return at().request("POST", `${podsPath()}/${pod}/eviction`, { body });
  };
  const waitForBudget = (status: object) =>
    vi.waitFor(async () => expect((await at().request("GET", budget)).body.status).toMatchObject(status), patience);

  beforeAll(async () => {
    const { resources } = (await at().request("GET", "/api/v1")).body as unknown as Discovery;
    const found = resources.find((one) => one.name === "pods/eviction");
    apiVersion = `${found?.group}/${found?.version}`;
    const { spec, ...web } = workload(name, "deployments");
    const template = { ...spec.template, spec: { containers: spec.template.spec.containers } };
    await at().request("POST", workloadsIn(at(), "deployments"), {
      body: { ...web, spec: { ...spec, replicas: 2, template } },
    });
    const budgets = `/apis/${apiVersion}/namespaces/${at().namespace}/poddisruptionbudgets`;
    const selector = { matchLabels: { app: name } };
    await at().request("POST", budgets, {
      body: { apiVersion, kind: "PodDisruptionBudget", metadata: { name }, spec: { minAvailable: 2, selector } },
    });
    budget = `${budgets}/${name}`;
    await waitForBudget({ currentHealthy: 2, desiredHealthy: 2, expectedPods: 2, disruptionsAllowed: 0 });
  }, 90_000);

  test("is found by discovery, in its own group", async () => {
    const { resources } = (await at().request("GET", "/api/v1")).body as unknown as Discovery;
    expect(resources).toContainEqual({
      name: "pods/eviction",
      singularName: "",
      namespaced: true,
      group: "policy",
      version: expect.stringMatching(/^v1(beta1)?$/) as string,
      kind: "Eviction",
      verbs: ["create"],
    });
  });

  test("is a 429 with the reason while a budget does not allow it", async () => {
    const { code, body } = await evict((await aPod()).name);
    expect(code).toBe(429);
    const message = `The disruption budget ${name} needs 2 healthy pods and has 2 currently`;
    expect(body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      reason: "TooManyRequests",
      details: { causes: [{ reason: "DisruptionBudget", message }] },
      code: 429,
    });
  });

  test("of a missing pod is a 404", async () => {
    const { code, body } = await evict("gone");
    expect(code).toBe(404);
    expect(body).toMatchObject({ reason: "NotFound", message: 'pods "gone" not found' });
  });

  test("is rejected if it names another pod than its path", async () => {
    const { code } = await evict((await aPod()).name, { metadata: { name: "other", namespace: at().namespace } });
    expect(code).toBe(400);
  });

  // Servers before 1.22 count such a rejection against the budget for two minutes, so this pod has none.
  test("of a recreated pod is a 409", async () => {
    const body = {
      metadata: { name: "single" },
      spec: { containers: [{ name: "app", image: "registry.invalid/app" }] },
    };
    await vi.waitFor(async () => expect((await at().request("POST", podsPath(), { body })).code).toBe(201), patience);
    const { code, body: status } = await evict("single", { deleteOptions: { preconditions: { uid: "other" } } });
    expect([code, status]).toMatchObject([409, { reason: "Conflict" }]);
    expect((await at().request("GET", `${podsPath()}/single`)).body.metadata).not.toHaveProperty("deletionTimestamp");
  });

  test("deletes a pod once a budget allows it, and its controller recreates it", async () => {
    await at().request("PATCH", budget, { contentType: mergePatch, body: { spec: { minAvailable: 1 } } });
    await waitForBudget({ disruptionsAllowed: 1, desiredHealthy: 1 });
    const { name: pod, uid } = await aPod();
    const { code, body } = await evict(pod, { deleteOptions: { preconditions: { uid } } });
    expect([code, body]).toMatchObject([201, { kind: "Status", status: "Success", code: 201 }]);
    await vi.waitFor(async () => {
      const uids = (await pods()).map(({ metadata }) => metadata?.uid);
      expect(uids).toHaveLength(2);
      expect(uids).not.toContain(uid);
    }, patience);
    await waitForBudget({ disruptionsAllowed: 1, currentHealthy: 2 });
  });
}
