import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppsV1Api, CustomObjectsApi, type KubeConfig, RbacAuthorizationV1Api } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import type { AfterRule } from "../../../functions/domain/gates/after-policy.ts";
import { readUpstreams } from "../../../functions/workflows/read-upstreams.ts";
import { withPeers } from "../../../functions/runtime/peers.ts";
import { readSettings } from "../../../functions/runtime/read-settings.ts";
import { applyPart, removePart } from "../../infra/cluster/pawl-groups.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { fakeCluster } from "../../support/fake-cluster.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { workload } from "../../support/workloads.ts";
import { installPawl } from "./rbac-harness.ts";

const labels = { app: "web" };
const template = {
  metadata: { labels },
  spec: { containers: [{ name: "app", image: "registry.invalid/shop/app:1.0.0" }] },
};

describeOnRealCluster("a peer", () => {
  let admin: KubeConfig;
  let namespace: string;
  let kubeconfig: string;

  beforeAll(async () => {
    const installation = await installPawl("rbac-peers", []);
    ({ admin, namespace } = installation);
    const folder = mkdtempSync(join(tmpdir(), "pawl-peer-"));
    kubeconfig = join(folder, "config");
    const written = JSON.parse(admin.exportConfig()) as { users: { user: object }[] };
    for (const one of written.users) one.user = { ...one.user, as: "pawl-peer" };
    writeFileSync(kubeconfig, JSON.stringify(written), { mode: 0o600 });
    await admin.makeApiClient(AppsV1Api).createNamespacedDeployment({
      namespace,
      body: { metadata: { name: "web" }, spec: { replicas: 0, selector: { matchLabels: labels }, template } },
    });
    // A kubeconfig impersonates users only. The group is bound to the same role.
    await admin.makeApiClient(RbacAuthorizationV1Api).createNamespacedRoleBinding({
      namespace,
      body: {
        metadata: { name: "peer" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "pawl:peers" },
        subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "pawl-peer" }],
      },
    });
    await admin.makeApiClient(CustomObjectsApi).createNamespacedCustomObject({
      group: "pawl.dev",
      version: "v1alpha1",
      plural: "autoupdates",
      namespace,
      body: {
        apiVersion: "pawl.dev/v1alpha1",
        kind: "AutoUpdate",
        metadata: { name: "deployment-web" },
        spec: {
          targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
          policy: { enabled: true, visibleTo: ["production/shop"] },
        },
      },
    });
    return async () => {
      rmSync(folder, { recursive: true });
      await installation.remove();
    };
  });

  /** Reads what a workload of another cluster waits for, with the rights of the group. */
  async function upstreamOf(peer: string) {
    const rule: AfterRule = {
      cluster: peer,
      namespace,
      kind: "Deployment",
      name: "web",
      soakSeconds: 3600,
      sameDigest: true,
    };
    const access = { kind: "file", path: kubeconfig, context: null };
    const settings = readSettings({ PAWL_PEERS: JSON.stringify([{ name: "eu", access }]) });
    const own = { ...fakeCluster([], () => undefined), name: "production" };
    const cluster = withPeers(own, { settings, aws: {}, now: () => new Date() });
    const waiting = workload({ policy: { after: [rule] } });
    const upstreams = await readUpstreams(cluster, { ...waiting, ref: { ...waiting.ref, namespace: "shop" } });
    return upstreams.get(`deployment/${namespace}/web of cluster ${peer}`);
  }

  test("is read with the rights of infra/cluster/peers only; anything unknown closes the gate", async () => {
    expect(await upstreamOf("eu")).toMatchObject({ kind: "unknown", reason: expect.stringContaining("403") });
    await applyPart(admin, "peers");
    try {
      const known = await eventually("the API server has the new role", async () => {
        const found = await upstreamOf("eu");
        return found?.kind === "known" ? found : false;
      });
      expect(known).toEqual({ kind: "known", soaks: [] });
      const reason = expect.stringContaining("cluster us is not a peer");
      expect(await upstreamOf("us")).toMatchObject({ kind: "unknown", reason });
    } finally {
      await removePart(admin, "peers");
    }
  });
});
