import { afterAll, expect, test } from "vitest";
import { builtInKinds, pathOf } from "../../../../contracts/cluster-fixtures.ts";
import { change, openHarness, read } from "../../../../contracts/cluster/harness.ts";
import {
  digest,
  finalizer,
  createTracked,
  restart,
  restartedAt,
  withInit,
} from "../../../../contracts/cluster/digests/harness.ts";
import { startCluster } from "../../embedded-cluster.ts";
import { clusterAt, startProxy } from "../../api/scripted-server.ts";

const cluster = await startCluster();
afterAll(() => cluster.close());

test.for(builtInKinds)("a restart of a %s is one patch of the workload with only the restart fields", async (kind) => {
  const harness = await openHarness(cluster.kubeConfig);
  const ref = await createTracked(harness, kind, { annotations: withInit, finalizers: [finalizer] });
  await using proxy = await startProxy(cluster.url);
  const digests = { initialDigestPolicy: "restart", setsPullPolicy: true } as const;
  const recorded = { ...harness, cluster: clusterAt(proxy.url, { namespaces: [harness.namespace], digests }) };
  await change(recorded, ref, restart({ app: digest(1), migrate: digest(2), sidecar: digest(3) }));
  const written = proxy.requests.filter(({ method }) => method !== "GET");
  const [patch, ...others] = written.filter(({ path }) => !path.includes("/autoupdates"));
  expect(others).toEqual([]);
  expect(patch).toMatchObject({ method: "PATCH", contentType: "application/strategic-merge-patch+json" });
  expect(patch?.path).toBe(`${pathOf(ref)}?fieldManager=pawl`);
  const { metadata, spec } = JSON.parse(patch?.body ?? "") as { metadata: object; spec: object };
  expect(metadata).toMatchObject({
    resourceVersion: expect.stringMatching(/^\d+$/) as string,
    "$deleteFromPrimitiveList/finalizers": [finalizer],
  });
  const always = (name: string) => ({ name, imagePullPolicy: "Always" });
  expect(spec).toEqual({
    template: {
      metadata: { annotations: { [restartedAt]: "2026-11-20T12:00:00Z" } },
      spec: { containers: [always("app"), always("sidecar")], initContainers: [always("migrate")] },
    },
  });
});

test("a workload that is not tracked by digest keeps its finalizers", async () => {
  const harness = await openHarness(cluster.kubeConfig);
  const ref = await createTracked(harness, "Deployment", {
    annotations: { "image-updater.eznix86.github.io/enabled": "no", "pawl.dev/auto-update": "true" },
    finalizers: [finalizer],
  });
  await change(harness, ref, () => ({ lastReported: { held: "no" } }));
  const { body } = await harness.request("GET", pathOf(ref));
  expect(body.metadata).toMatchObject({ finalizers: [finalizer] });
  expect((await read(harness, ref)).digests).toBeNull();
});
