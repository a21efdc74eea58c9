import { randomUUID } from "node:crypto";
import { AppsV1Api, CoreV1Api, CustomObjectsApi, type KubeConfig } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { impersonate } from "../../infra/cluster/impersonate.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { anything } from "./admission.ts";

const plain = {
  apiVersion: "pawl.dev/v1alpha1",
  kind: "AutoUpdate",
  metadata: { name: "deployment-web" },
  spec: { targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, policy: {} },
};

describeOnRealCluster("a request of the command line", () => {
  test("has the name that the API server knows, and is read with it", async () => {
    const admin = realKubeConfig();
    const namespace = `requests-${randomUUID().slice(0, 8)}`;
    await admin.makeApiClient(CoreV1Api).createNamespace({ body: { metadata: { name: namespace } } });
    const labels = { app: "web" };
    const containers = [{ name: "web", image: "registry.example/shop/web:1.0.0" }];
    await admin.makeApiClient(AppsV1Api).createNamespacedDeployment({
      namespace,
      body: {
        metadata: { name: "web" },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
      },
    });
    const path = { group: "pawl.dev", version: "v1alpha1", namespace, plural: "autoupdates" };
    await admin.makeApiClient(CustomObjectsApi).createNamespacedCustomObject({ ...path, body: plain });
    const open = (kubeConfig: KubeConfig) =>
      createKubernetesCluster({
        name: "c",
        kubeConfig,
        namespaces: [namespace],
        now: () => new Date(),
        warn: () => undefined,
      });
    const ref = { kind: "Deployment", namespace, name: "web" } as const;
    const annas = open(impersonate(anything, admin, "anna").kubeConfig);
    const found = await annas.readNamed(ref);
    const asked = { verb: "push", argument: "1.1.0", token: "t-1", reason: "incident\n7" };
    const at = "2026-11-20T12:00:00Z";
    await annas.request(found as Workload, asked, { gates: ["approval"], digest: "sha256:a", at });
    expect(await open(admin).readNamed(ref)).toMatchObject({
      request: { verb: "push", argument: "1.1.0", token: "t-1", by: "anna", reason: "incident 7" },
      overrides: [{ user: "anna", gates: ["approval"], version: "1.1.0", digest: "sha256:a", token: "t-1", at }],
    });
  });
});
