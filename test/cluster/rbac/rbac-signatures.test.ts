import { imageTarget } from "../../support/workloads.ts";
import { AppsV1Api, type KubeConfig } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import type { UpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import type { Workload, WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { guardTask } from "../../../functions/workflows/workload-update/guard-writes.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { impersonate } from "../../infra/cluster/impersonate.ts";
import { createClusterFor } from "../../infra/cluster/pawl-groups.ts";
import { type FunctionName, tasks } from "../../infra/cluster/tasks.ts";
import { autoUpdatePath } from "../../infra/cluster/update-requests.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { deploymentWithProxy, inventUpdate, repository, stepFor } from "../claim/forged-claims.ts";
import { createActors, createCheckRecorder, installPawl, repeatOnConflict } from "./rbac-harness.ts";

const target = `${repository.app}:1.1.0`;
const ran = `${repository.app}:1.0.0`;
const forged = `${repository.app}:0.9.0`;

/** Nobody has signed any image of the repository. */
const verifier: Ports["verifier"] = {
  scopes: [{ repositories: [repository.app], namespaces: null, mode: "enforce" }],
  verify: async () => ({ kind: "unverified", digest: null, reason: "no valid signature" }),
};

describeOnRealCluster("a rollback where signatures are enforced, with the permissions of roll-back", () => {
  const actorOf = createActors();
  let admin: KubeConfig;
  let namespace: string;

  beforeAll(async () => {
    const installation = await installPawl("rbac-signatures", ["claw", "stateful-canary"]);
    ({ admin, namespace } = installation);
    return () => installation.remove();
  });

  function portsOf(name: FunctionName): Ports {
    const cluster = createClusterFor(actorOf(name).kubeConfig, namespace);
    return { ...fakePorts({ tags: { "shop/app": ["1.0.0"] }, now: new Date() }), verifier, cluster };
  }

  async function find(name: string): Promise<Workload | undefined> {
    for await (const one of createClusterFor(admin, namespace).list()) if (one.ref.name === name) return one;
    return undefined;
  }

  /** Creates a Deployment that ran 1.0.0 and runs 1.1.0, with the record of an update that a recorder has written. */
  async function createUpdated(name: string, update: Partial<UpdateStatus>): Promise<WorkloadRef> {
    const apps = admin.makeApiClient(AppsV1Api);
    await apps.createNamespacedDeployment({ namespace, body: deploymentWithProxy(name) });
    const workload = await eventually(`${name} has an AutoUpdate`, async () => {
      await tasks.poll({ ...portsOf("poll"), checkRecorder: createCheckRecorder(portsOf) }, { cluster: "real" });
      const found = await find(name);
      return found?.record.state === "observed" && found;
    });
    const { ref } = workload;
    const body = { spec: { template: { spec: { containers: [{ name: "app", image: target }] } } } };
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;
    await rawRequest(admin, "PATCH", path, { body, contentType: "application/strategic-merge-patch+json" });
    await eventually("both have a ReplicaSet", async () => {
      const images = await portsOf("roll-back").cluster.imagesThatRan(workload);
      return images.includes(ran) && images.includes(target);
    });
    const status = { update: { ...inventUpdate(ref), phase: "Applied", target: imageTarget(target), ...update } };
    const { kubeConfig } = impersonate("pawl:analysts", realKubeConfig());
    const written = await rawRequest(kubeConfig, "PATCH", `${autoUpdatePath(ref)}/status`, {
      body: { status },
      contentType: "application/merge-patch+json",
    });
    expect(written.code).toBe(200);
    return ref;
  }

  async function revert(ref: WorkloadRef): Promise<string> {
    const step = { ...stepFor(ref, target), verdict: "expired", reason: "not ready" };
    await repeatOnConflict("roll-back", () => guardTask(rollBack)(portsOf("roll-back"), step));
    const { spec } = await admin.makeApiClient(AppsV1Api).readNamespacedDeployment({ namespace, name: ref.name });
    return spec?.template.spec?.containers[0]?.image ?? "";
  }

  test("restores what a ReplicaSet of the workload has", async () => {
    expect(await revert(await createUpdated("ran", { previousImage: ran }))).toBe(ran);
  });

  test("restores nothing that a stolen recorder has invented, ends the update and says so", async () => {
    expect(await revert(await createUpdated("invented", { previousImage: forged }))).toBe(target);
    const after = await find("invented");
    expect(after?.updateRecord.versionHistory.at(-1)).toMatchObject({
      status: "Withdrawn",
      reason: expect.stringContaining("0.9.0 is not restored: it is not verified"),
    });
  });

  test.for(["Claw", "StatefulCanary", "CronJob"])("may read what a %s ran", async (kind) => {
    const [group, version] = { Claw: ["claw.prismer.ai", "v1alpha1"], CronJob: ["batch", "v1"] }[kind] ?? [
      "pawl.dev",
      "v1alpha1",
    ];
    const template = { spec: { containers: [{ name: "app", image: ran }] } };
    const spec = {
      Claw: { runtime: "openclaw", autoUpdate: { enabled: true } },
      StatefulCanary: {
        totalReplicas: 1,
        canaryImage: ran,
        template: { spec: { containers: [{ name: "app", image: ran }] } },
      },
      CronJob: {
        schedule: "0 0 1 1 *",
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
      },
    }[kind];
    const plural = { Claw: "claws", CronJob: "cronjobs" }[kind] ?? "statefulcanaries";
    const path = `/apis/${group}/${version}/namespaces/${namespace}/${plural}`;
    const annotations = { "pawl.dev/auto-update": "true" };
    const body = {
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name: "own", ...(kind === "CronJob" ? { annotations } : {}) },
      spec,
    };
    const created = await rawRequest(admin, "POST", path, { body, contentType: "application/json" });
    expect([created.code, created.text]).toEqual([201, expect.anything()]);
    const workload = await eventually(`the ${kind} is listed`, async () => {
      for await (const one of createClusterFor(admin, namespace).list()) if (one.ref.kind === kind) return one;
      return undefined;
    });
    expect(await portsOf("roll-back").cluster.imagesThatRan(workload)).toEqual([]);
  });
});
