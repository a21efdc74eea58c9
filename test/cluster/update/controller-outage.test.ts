import { KubeConfig } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import { startControlPlane } from "../../support/control-plane.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { installCrd } from "../../support/crds/install.ts";
import { createKubectl } from "../../support/kubectl.ts";
import { type Kind, kinds, openObjects, plurals } from "../../support/kubectl/objects.ts";
import { isSoak } from "../../support/property-runs.ts";
import { describeOnRealCluster, makeNamespace } from "../../support/real-cluster.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";

/** With a control plane of its own, which it disturbs: only in a soak. */
describeOnRealCluster("while the controller manager is stopped", () => {
  const suite = createSuite();
  const image = (tag: string) => `${suite.registry.host}/shop/good:${tag}`;

  beforeAll(() => suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]));

  test.runIf(isSoak)("no update is judged, and then each completes", async () => {
    const plane = await startControlPlane();
    suite.closeAfterAll({ close: plane.stop });
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromString(plane.kubeconfig);
    await installCrd(kubeConfig, "auto-update");
    const namespace = await makeNamespace(kubeConfig, "outage");
    const environment = { PAWL_KUBECONFIG: plane.kubeconfigPath };
    const pawl = suite.closeAfterAll(await startIsolatedPawl({ namespace, registry: suite.registry, environment }));
    const readAll = () => all(pawl.ports.cluster);
    const objects = openObjects(kubeConfig, namespace);
    for (const kind of kinds) await objects.create(plurals[kind], manifestOf(kind, image("1.0.0")));
    await eventually("all are ready", async () => {
      const found = await readAll();
      return found.every(({ rollout }) => rollout?.readyReplicas === 2 && rollout.updatedReplicas === 2);
    });

    const startAgain = await plane.interrupt("kube-controller-manager");
    expect(await pawl.poll()).toMatchObject({ started: 3 });
    await eventually("all wait", async () => {
      const found = await readAll();
      return found.every(({ inFlight }) => inFlight?.observation?.kind === "waiting");
    });
    const since = pawl.ports.now().getTime();
    await eventually("each deadline has passed", async () => pawl.ports.now().getTime() - since > 120_000);
    const reason = "its controller has not observed the change yet";
    for (const { inFlight, updateRecord } of await readAll()) {
      expect(inFlight).toMatchObject({ phase: "rollout", observation: { reason } });
      expect(updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [], versionHistory: [] });
    }

    const kubectl = createKubectl(kubeConfig, namespace, () => new Date());
    for (const kind of kinds) await kubectl.annotate(kind, nameOf(kind), { [annotations.healthTimeout]: "10m" });
    await startAgain();
    await eventually("the executions end", async () => pawl.running() === 0);
    for (const { rollout, updateRecord } of await readAll()) {
      expect(rollout).toMatchObject({ image: image("1.1.0"), readyReplicas: 2, updatedReplicas: 2 });
      expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
    }
  });
});

async function all(cluster: Cluster): Promise<readonly Workload[]> {
  const workloads: Workload[] = [];
  for await (const workload of cluster.list()) workloads.push(workload);
  return workloads;
}

function nameOf(kind: Kind): string {
  return kind.toLowerCase();
}

/** With two pods: a DaemonSet has one on each node. */
function manifestOf(kind: Kind, image: string): object {
  const name = nameOf(kind);
  const policy = { [annotations.autoUpdate]: "true", [annotations.healthTimeout]: "1m" };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name, annotations: policy },
    spec: {
      ...(kind === "DaemonSet" ? {} : { replicas: 2 }),
      ...(kind === "StatefulSet" ? { serviceName: name } : {}),
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "app", image }] } },
    },
  };
}
