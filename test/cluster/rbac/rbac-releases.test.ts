import { AppsV1Api, type KubeConfig } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { impersonate } from "../../infra/cluster/impersonate.ts";
import { applyPart, removePart } from "../../infra/cluster/pawl-groups.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { installPawl } from "./rbac-harness.ts";

const labels = { app: "web" };
const container = { name: "app", image: "registry.invalid/shop/app:1.0.0" };
const template = { metadata: { labels }, spec: { containers: [container] } };
const edit = {
  spec: { template: { spec: { containers: [{ ...container, env: [{ name: "MODE", value: "before" }] }] } } },
};

describeOnRealCluster("the right to write whole pod templates", () => {
  let admin: KubeConfig;
  let namespace: string;

  beforeAll(async () => {
    const installation = await installPawl("rbac-releases", []);
    ({ admin, namespace } = installation);
    await admin.makeApiClient(AppsV1Api).createNamespacedDeployment({
      namespace,
      body: { metadata: { name: "web" }, spec: { replicas: 0, selector: { matchLabels: labels }, template } },
    });
    return () => installation.remove();
  });

  /** Returns the status code of a request with the permissions of a group. */
  async function request(
    group: string,
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body: object = edit,
  ): Promise<number> {
    const contentType = method === "POST" ? "application/json" : "application/strategic-merge-patch+json";
    const { kubeConfig } = impersonate(group, realKubeConfig());
    const [api, rest] = path.split(":");
    const url = `/${api}/namespaces/${namespace}/${rest}`;
    return (
      await rawRequest(kubeConfig, method, url, method === "PATCH" || method === "POST" ? { body, contentType } : {})
    ).code;
  }

  const write = (group: string) => request(group, "PATCH", "apis/apps/v1:deployments/web");

  const kept = { "pawl.dev/template-of": "u-1" };
  const keep = (group: string, of: object) =>
    request(group, "POST", "apis/apps/v1:controllerrevisions", {
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: { name: "kept", labels: of },
      data: { spec: { template } },
      revision: 0,
    });

  test("is bound apart: without infra/cluster/releases restorers may do nothing", async () => {
    expect(await write("pawl:restorers")).toBe(403);
    expect(await request("pawl:restorers", "GET", "apis/apps/v1:replicasets")).toBe(403);
  });

  test("lets restorers write a template and list its revisions, and nothing beside workloads", async () => {
    await applyPart(admin, "releases");
    try {
      expect(await write("pawl:restorers")).toBe(200);
      expect(await request("pawl:restorers", "GET", "apis/apps/v1:replicasets")).toBe(200);
      for (const group of ["pawl:pollers", "pawl:recorders", "pawl:analysts", "pawl:evictors"]) {
        expect(await write(group), group).toBe(403);
        expect(await keep(group, kept), group).toBe(403);
      }
      for (const group of ["pawl:restorers", "pawl:updaters"]) {
        expect(await keep(group, { ...kept, ...labels }), group).toBe(403);
        expect(await keep(group, labels), group).toBe(403);
        expect(await keep(group, kept), group).toBe(201);
        const edited = { body: { data: { edited: true } }, contentType: "application/merge-patch+json" };
        const path = `/apis/apps/v1/namespaces/${namespace}/controllerrevisions/kept`;
        expect((await rawRequest(admin, "PATCH", path, edited)).code).toBe(422);
        expect(await request(group, "DELETE", "apis/apps/v1:controllerrevisions/kept"), group).toBe(200);
      }
      for (const [method, path] of [
        ["PATCH", "apis/batch/v1:cronjobs/web"],
        ["DELETE", "apis/apps/v1:deployments/web"],
        ["PATCH", "apis/apps/v1:replicasets/web"],
        ["GET", "api/v1:secrets"],
        ["PATCH", "apis/pawl.dev/v1alpha1:autoupdates/deployment-web"],
      ] as const)
        expect(await request("pawl:restorers", method, path), path).toBe(403);
    } finally {
      await removePart(admin, "releases");
    }
  });
});
