import { expect, test } from "vitest";
import { createTracked, digest, restart, templateOf } from "../../../../contracts/cluster/digests/harness.ts";
import { before } from "../../../../contracts/cluster-fixtures.ts";
import { change, getObject, openHarness, patchObject } from "../../../../contracts/cluster/harness.ts";
import { later, revert, rolledBack } from "../../../../contracts/cluster/steps.ts";
import { startCluster } from "../../embedded-cluster.ts";
import { clusterAt, startProxy } from "../../api/scripted-server.ts";

const cluster = await startCluster();

test("a restart whose patch conflicts removes the pins when it is repeated", async () => {
  const harness = await openHarness(cluster.kubeConfig);
  const ref = await createTracked(harness, "Deployment", { annotations: { "pawl.dev/rollback-to": "digest" } });
  for (const step of [restart({ app: digest(1) }), rolledBack, restart({ app: digest(2) }, "e-2", later)]) {
    await change(harness, ref, step);
  }
  for (const step of [revert, rolledBack]) await change(harness, ref, step);
  const appOf = async () => templateOf(await getObject(harness, ref)).spec.containers[0]?.image;
  expect(await appOf()).toBe(`${before}@${digest(1)}`);
  let conflicts = 0;
  const proxy = await startProxy(cluster.url, async ({ method, path }) => {
    if (method !== "PATCH" || !path.includes("/deployments/") || conflicts > 0) return;
    conflicts += 1;
    await patchObject(harness, ref, { metadata: { labels: { edited: "true" } } });
  });
  const proxied = clusterAt(proxy.url, { namespaces: [harness.namespace], now: () => harness.now });
  await change({ ...harness, cluster: proxied }, ref, restart({ app: digest(3) }, "e-3", later));
  expect({ conflicts, image: await appOf() }).toEqual({ conflicts: 1, image: before });
});
