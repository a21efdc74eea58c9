import type { KubeConfig } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { listWorkloads } from "../../../cli/workloads/list.ts";
import { replaceTag } from "../../../functions/domain/image/reference.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import type { KubernetesGroup } from "../../../infra/constructs/functions/function-spec.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { impersonate } from "../../infra/cluster/impersonate.ts";
import { permissionsButFreezes } from "../../infra/cluster/manifests.ts";
import { applyPart, createClusterFor, groups, removePart } from "../../infra/cluster/pawl-groups.ts";
import { createWorkload } from "../../infra/cluster/update-requests.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { updateInput, imageTarget } from "../../support/workloads.ts";
import { describeOnRealCluster, makeNamespace, realKubeConfig } from "../../support/real-cluster.ts";
import {
  type ForbiddenAction,
  installPawl,
  probePermissions,
  repeatOnConflict,
  testForbiddenActions,
} from "./rbac-harness.ts";
import { requestOf } from "../../support/request-of.ts";

interface Target {
  /** With the permissions of a group. */
  readonly cluster: Cluster;
  readonly workload: Workload;
  /** A workload without an AutoUpdate. */
  readonly unrecorded: Workload;
}

const allGroups = ["pawl:pollers", "pawl:recorders", "pawl:analysts", "pawl:evictors", "pawl:updaters"] as const;

const forbiddenActions: readonly ForbiddenAction<Target>[] = [
  {
    action: "change a workload",
    groups: ["pawl:pollers", "pawl:recorders", "pawl:analysts", "pawl:evictors"],
    act: ({ cluster, workload }) => cluster.change(workload, { image: "other:1" }),
  },
  {
    action: "create an AutoUpdate",
    groups: ["pawl:pollers", "pawl:analysts", "pawl:evictors", "pawl:updaters"],
    act: ({ cluster, unrecorded }) => cluster.change(unrecorded, {}),
  },
  {
    action: "delete an AutoUpdate",
    groups: ["pawl:pollers", "pawl:analysts", "pawl:evictors", "pawl:updaters"],
    act: ({ cluster, workload }) => cluster.change(workload, { deleteRecord: true }),
  },
  {
    action: "change the spec of an AutoUpdate",
    groups: allGroups,
    act: ({ cluster, workload }) => cluster.change(workload, { paused: true }),
  },
  {
    action: "write a request",
    groups: allGroups,
    act: ({ cluster, workload }) => cluster.request(workload, requestOf("push 9.9.9 token")),
  },
  {
    action: "write the status of an AutoUpdate",
    groups: ["pawl:pollers"],
    act: ({ cluster, workload }) => cluster.change(workload, { lastReported: { held: "x" } }),
  },
  {
    action: "emit an Event",
    groups: ["pawl:pollers", "pawl:evictors"],
    act: ({ cluster, workload }) => cluster.emitEvent(workload, event),
  },
  {
    action: "evict a pod",
    groups: ["pawl:pollers", "pawl:recorders", "pawl:analysts", "pawl:updaters"],
    act: ({ cluster, workload }) => cluster.evictPod(workload, { name: "missing", uid: "u-9" }),
  },
  {
    action: "list workloads",
    groups: ["pawl:recorders", "pawl:analysts", "pawl:evictors", "pawl:updaters"],
    act: ({ cluster }) => listWorkloads(cluster),
  },
];
const event = { type: "Normal", reason: "AutoUpdateHeld", message: "held", key: "held" } as const;

describeOnRealCluster("the groups of infra/cluster", () => {
  let admin: KubeConfig;
  let namespace: string;
  const kubeConfigOf = (group: KubernetesGroup) => impersonate(group, realKubeConfig()).kubeConfig;

  beforeAll(async () => {
    const installation = await installPawl("rbac");
    ({ admin, namespace } = installation);
    await createWorkload(admin, "StatefulSet", namespace);
    await createWorkload(admin, "Deployment", namespace);
    const recorder = createClusterFor(kubeConfigOf("pawl:recorders"), namespace);
    await repeatOnConflict("the record of a poll", async () => recorder.change(await findWorkload("StatefulSet"), {}));
    return () => installation.remove();
  });

  async function findWorkload(kind: string): Promise<Workload> {
    const workloads = await listWorkloads(createClusterFor(kubeConfigOf("pawl:pollers"), namespace));
    const found = workloads.find(({ ref }) => ref.kind === kind);
    if (found === undefined) throw new Error(`the ${kind} does not exist`);
    return found;
  }

  test.for(groups)("%s is allowed the requests of its role and denied all others", async (group) => {
    const { allowed, deniedCount } = await probePermissions(kubeConfigOf(group), namespace);
    expect(allowed).toEqual(permissionsButFreezes(group));
    expect(deniedCount).toBeGreaterThan(200);
  });

  test.for(groups)("%s cannot read the metrics of the server", async (group) => {
    expect((await rawRequest(kubeConfigOf(group), "GET", "/metrics", {})).code).toBe(403);
  });

  // Updaters can create canaries; admission policies deny any other Deployment.
  test.for(groups.filter((group) => group !== "pawl:updaters"))(
    "%s cannot create a Deployment with server-side apply",
    async (group) => {
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments/new?fieldManager=pawl`;
      const labels = { app: "new" };
      const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } };
      const spec = { selector: { matchLabels: labels }, template };
      const body = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "new", namespace }, spec };
      const apply = { contentType: "application/apply-patch+yaml", body };
      expect((await rawRequest(kubeConfigOf(group), "PATCH", path, apply)).code).toBe(403);
    },
  );

  test("an update that the roles refuse releases its claim and backs off, in its status and with one Event", async () => {
    // Recorders may write claims, and must not change workloads.
    const unfrozen = { readFreeze: async () => ({ kind: "text", text: null }) as const };
    const cluster = { ...createClusterFor(kubeConfigOf("pawl:recorders"), namespace), ...unfrozen };
    const { ref, image } = await findWorkload("StatefulSet");
    const target = replaceTag(image ?? "", "9.9.9");
    const [uid, now] = [ref.uid, () => new Date()];
    const ports = { ...fakePorts({}), cluster, now };
    const step = { ...updateInput, workload: ref, target: imageTarget(target), execution: "e-refused" };
    await expect(repeatOnConflict("the update", () => applyUpdate(ports, step))).rejects.toMatchObject({
      name: "AdmissionDenied",
      message: expect.stringContaining("cannot patch resource"),
    });
    const refused = { ...step, verdict: "refused", reason: "cannot patch resource" };
    const result = await repeatOnConflict("the release", () => rollBack(ports, refused));
    expect(result).toMatchObject({ kind: "refused" });
    const after = await findWorkload("StatefulSet");
    expect(after).toMatchObject({ image, inFlight: null, updateRecord: { rollbackCount: 0, failedVersions: [] } });
    expect(after.backOff).toMatchObject({ reason: "Refused", attempts: 1, target: imageTarget(target) });
    expect(after.lastReported.held).toContain("tried again at");
    const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.uid=${uid},reason=AutoUpdateBackOff`;
    const { items } = JSON.parse((await rawRequest(admin, "GET", path, {})).text) as { items: unknown[] };
    expect(items).toHaveLength(1);
  });

  testForbiddenActions(forbiddenActions, async (group) => {
    const [workload, unrecorded] = [await findWorkload("StatefulSet"), await findWorkload("Deployment")];
    return { cluster: createClusterFor(kubeConfigOf(group), namespace), workload, unrecorded };
  });

  test("bound in one namespace, have permissions only there", async () => {
    const otherNamespace = namespace;
    const boundNamespace = await makeNamespace(admin, "rbac-bound");
    await removePart(admin, "cluster-wide");
    await applyPart(admin, "namespaced", boundNamespace);
    for (const group of groups) {
      const kubeConfig = kubeConfigOf(group);
      const allowedIn = async (name: string) => (await probePermissions(kubeConfig, name)).allowed;
      await eventually("the bindings are in effect", async () => (await allowedIn(otherNamespace)).length === 0);
      expect(await allowedIn(boundNamespace)).toEqual(permissionsButFreezes(group));
      expect((await rawRequest(kubeConfig, "GET", "/apis/apps/v1/deployments", {})).code).toBe(403);
    }
  });
});
