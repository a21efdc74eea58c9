import type { KubeConfig } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { impersonate } from "../../infra/cluster/impersonate.ts";
import { applyPart, removePart } from "../../infra/cluster/pawl-groups.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { servedVersion } from "../../support/served-version.ts";
import { installPawl } from "./rbac-harness.ts";

const group = "pawl:hook-runners";
const container = { name: "migrate", image: "registry.invalid/shop/app:1.0.0" };
const job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "migrate", labels: { "pawl.dev/hook": "migrate" } },
  spec: { template: { spec: { restartPolicy: "Never", containers: [container] } } },
};

describeOnRealCluster("the right to run the Jobs of hooks", () => {
  let admin: KubeConfig;
  let namespace: string;

  beforeAll(async () => {
    const installation = await installPawl("rbac-hooks", []);
    ({ admin, namespace } = installation);
    return () => installation.remove();
  });

  /** Returns the status code of a request with the permissions of a group. */
  async function request(as: string, method: string, path: string, body?: object): Promise<number> {
    const { kubeConfig } = impersonate(as, realKubeConfig());
    const [api, rest] = path.split(":");
    return (await rawRequest(kubeConfig, method, `/${api}/namespaces/${namespace}/${rest}`, { ...(body && { body }) }))
      .code;
  }

  const create = (as: string) => request(as, "POST", "apis/batch/v1:jobs", job);

  test("is bound apart: without infra/cluster/hooks it does not exist", async () => {
    expect(await create(group)).toBe(403);
  });

  test("lets hook runners create, read and delete Jobs, and write no workload", async () => {
    await applyPart(admin, "hooks");
    try {
      expect(await create(group)).toBe(201);
      expect(await request(group, "GET", "api/v1:pods?labelSelector=job-name")).toBe(200);
      expect(await request(group, "GET", "apis/batch/v1:jobs?labelSelector=pawl.dev/hook=migrate")).toBe(200);
      for (const other of ["pawl:pollers", "pawl:recorders", "pawl:analysts", "pawl:updaters"])
        expect(await create(other), other).toBe(403);
      for (const [method, path] of [
        ["PATCH", "apis/batch/v1:jobs/migrate"],
        ["PATCH", "apis/apps/v1:deployments/web"],
        ["PATCH", "apis/pawl.dev/v1alpha1:statefulcanaries/db"],
        ["PATCH", "apis/pawl.dev/v1alpha1:autoupdates/deployment-web"],
        ["DELETE", "apis/batch/v1:jobs"],
        ["PATCH", `apis/batch/${await servedVersion(admin, "batch", "cronjobs")}:cronjobs/migrate`],
        ["DELETE", "api/v1:pods/migrate"],
        ["GET", "api/v1:secrets"],
      ] as const)
        expect(await request(group, method, path, method === "PATCH" ? {} : undefined), path).toBe(403);
      expect(await request(group, "DELETE", "apis/batch/v1:jobs/migrate")).toBe(200);
    } finally {
      await removePart(admin, "hooks");
    }
  });
});
