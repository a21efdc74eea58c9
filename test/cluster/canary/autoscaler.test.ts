import { AppsV1Api, AutoscalingV2Api, CoreV1Api, CustomObjectsApi } from "@kubernetes/client-node";
import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { installCrd } from "../../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { openClusterHarness } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";

const name = "web";
const pause = '{size: 25%, pause: {duration: "168h"}}';
/** Of a step that none of the tests reaches. */
const analysis = "analysis: {metrics: [{name: errors, query: 'errors{{args.pods}}', threshold: 1}]}";
/** Without an analysis there is no baseline. */
const policies = {
  stable: { [annotations.canarySteps]: `[${pause}]`, [annotations.healthTimeout]: "1h" },
  sameAge: {
    [annotations.canarySteps]: `[${pause}, {size: 50%, ${analysis}}]`,
    [annotations.healthTimeout]: "1h",
    [annotations.baseline]: "sameAge",
  },
} as const;
const eight = { replicas: 8 };
/** Nothing asks it. */
const environment = { PAWL_PROMETHEUS: "http://127.0.0.1:9090" };
/** Of the autoscaler, in millicores of CPU. */
const target = 50;

describeOnRealCluster("the HPA controller and a canary of 25 % of 8 replicas", () => {
  const suite = createSuite();
  const image = (tag: string) => `${suite.registry.host}/shop/good:${tag}`;

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    await installCrd(realKubeConfig(), "pod-metrics");
  });

  describe.concurrent("in a namespace of its own", () => {
    // The table in docs/how-to/analysis.md: 8 pods use 40 m each.
    test.for([
      { baseline: "stable", others: 40, canary: 40, mean: 40, replicas: 8, grown: 2 },
      { baseline: "stable", others: 40, canary: 140, mean: 60, replicas: 12, grown: 3 },
      { baseline: "stable", others: 40, canary: 0, mean: 32, replicas: 7, grown: 2 },
      { baseline: "sameAge", others: 33, canary: 33, mean: 33, replicas: 8, grown: 2 },
    ] as const)(
      "a canary with $canary m a pod, and the baseline $baseline: $replicas replicas beside it",
      async ({ baseline, others, canary, mean, replicas, grown }, { expect }) => {
        const harness = await openClusterHarness(suite);
        const { namespace, kubeConfig } = harness;
        const autoscaling = kubeConfig.makeApiClient(AutoscalingV2Api);
        const apps = kubeConfig.makeApiClient(AppsV1Api);
        const pawl = suite.closeAfterAll(await startIsolatedPawl({ namespace, registry: suite.registry, environment }));
        await harness.create("Deployment", name, image("1.0.0"), policies[baseline], eight);
        await pawl.poll();
        await eventually(
          "the canary waits",
          async () => (await harness.workload(name)).canaryProgress?.waitsFor === "Time",
        );
        const { items: pods } = await kubeConfig.makeApiClient(CoreV1Api).listNamespacedPod({ namespace });
        const besides = baseline === "sameAge" ? ["canary", "baseline"] : ["canary"];
        expect(pods).toHaveLength(8 + 2 * besides.length);
        const custom = kubeConfig.makeApiClient(CustomObjectsApi);
        for (const { metadata } of pods) {
          const { labels } = metadata ?? {};
          const cpu = `${labels?.["pawl.dev/role"] === "canary" ? canary : others}m`;
          // After its pod became ready.
          const timestamp = new Date(Date.now() + 3_600_000).toISOString();
          await custom.createNamespacedCustomObject({
            group: "metrics.k8s.io",
            version: "v1beta1",
            plural: "pods",
            namespace,
            body: {
              apiVersion: "metrics.k8s.io/v1beta1",
              kind: "PodMetrics",
              metadata: { name: metadata?.name, labels },
              timestamp,
              window: "30s",
              containers: [{ name: "app", usage: { cpu, memory: "1Mi" } }],
            },
          });
        }
        await autoscaling.createNamespacedHorizontalPodAutoscaler({
          namespace,
          body: {
            metadata: { name },
            spec: {
              scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
              minReplicas: 1,
              maxReplicas: 20,
              metrics: [
                {
                  type: "Resource",
                  resource: { name: "cpu", target: { type: "AverageValue", averageValue: `${target}m` } },
                },
              ],
              // One step: pods that come later have no metrics.
              behavior: {
                scaleDown: {
                  stabilizationWindowSeconds: 0,
                  policies: [{ type: "Pods", value: 1, periodSeconds: 1800 }],
                },
              },
            },
          },
        });
        const first = await eventually("the autoscaler has read all pods", async () => {
          const { status } = await autoscaling.readNamespacedHorizontalPodAutoscaler({ name, namespace });
          const value = status?.currentMetrics?.[0]?.resource?.current.averageValue;
          return value === undefined ? undefined : { value, desired: status?.desiredReplicas };
        });
        expect(first).toEqual({ value: `${mean}m`, desired: replicas });
        const counts = async () => {
          const names = [name, ...besides.map((role) => `${name}-${role}`)];
          const sets = names.map((one) => apps.readNamespacedDeployment({ name: one, namespace }));
          return (await Promise.all(sets)).map(({ spec }) => spec?.replicas);
        };
        await eventually(
          "the canary has its share",
          async () => (await counts()).join(",") === [replicas, ...besides.map(() => grown)].join(","),
        );
      },
    );
  });
});
