import { KubeConfig } from "@kubernetes/client-node";
import { afterAll, describe, expect, test } from "vitest";
import { createKubernetesCluster } from "../../../../../functions/adapters/kubernetes/cluster.ts";
import { restoreRelease } from "../../../../../functions/handlers/restore-release.ts";
import { eventually } from "../../../../support/control-plane/eventually.ts";
import type { Kind } from "../../../../support/kubectl/objects.ts";
import { startWriteProxy } from "../../../../support/write-proxy.ts";
import { startCluster } from "../../embedded-cluster.ts";
import { image, name, openReleased } from "./released.ts";

const server = await startCluster();
afterAll(() => server.close());

interface Kept {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

/** Returns a workload whose controller keeps no revision but the one that runs: only Pawl has the template of release 1. */
async function openPruned(kind: Kind) {
  const opened = await openReleased(kind, server.kubeConfig);
  const { request, namespace, kubectl, read, ports } = opened;
  const path = `/apis/apps/v1/namespaces/${namespace}`;
  const plural = `${kind.toLowerCase()}s`;
  const contentType = "application/merge-patch+json";
  await request("PATCH", `${path}/${plural}/${name}`, { body: { spec: { revisionHistoryLimit: 0 } }, contentType });
  await kubectl.rolloutRestart(kind, name);
  const snapshots = async () => (await ports.cluster.readSnapshots(await read())).map(({ revision }) => revision);
  const { uid } = (await read()).ref;
  await eventually("the other revisions are deleted", async () => {
    const { rollout } = await read();
    const own = (await snapshots()).filter((one) => !one.startsWith(`pawl-${uid}-`));
    return own.length === 1 && rollout?.oldReplicas === 0 && rollout.readyReplicas === rollout.desiredReplicas;
  });
  const kept = async () => {
    const { body } = await request("GET", `${path}/controllerrevisions`);
    const { items } = body as unknown as { readonly items: readonly Kept[] };
    return items.filter(({ metadata }) => metadata.labels?.["pawl.dev/template-of"] === uid);
  };
  return { ...opened, kept, path };
}

describe.for<Kind>(["Deployment", "StatefulSet"])("a %s whose revisions were deleted", (kind) => {
  test("is rolled back to a template that Pawl keeps, once per template", async () => {
    const { ports, input, runs, kept } = await openPruned(kind);
    expect(await kept()).toHaveLength(2);
    expect(await restoreRelease(ports, input)).toMatchObject({ kind: "applied" });
    expect(await runs()).toBe(image("1.0.0"));
    expect(await kept()).toHaveLength(2);
  });
});

test("a template that somebody replaced is refused, and nothing is changed", async () => {
  const { ports, input, runs, kept, path, request, read } = await openPruned("Deployment");
  const { hash = "" } = (await read()).releases?.list[0] ?? {};
  const found = (await kept()).find(({ metadata }) => metadata.name.endsWith(hash));
  const edited = JSON.parse(JSON.stringify(found).replace("/web:1.0.0", "/web:0.0.1")) as Kept;
  await request("DELETE", `${path}/controllerrevisions/${edited.metadata.name}`, {});
  const { name: revision, ...rest } = edited.metadata as Kept["metadata"] & { resourceVersion?: string; uid?: string };
  const { resourceVersion: _, uid: __, ...metadata } = rest;
  await request("POST", `${path}/controllerrevisions`, {
    body: { ...edited, metadata: { ...metadata, name: revision } },
  });
  const reason = `release 1 has no snapshot: ${revision} has another pod template than was recorded`;
  expect(await restoreRelease(ports, input)).toMatchObject({ kind: "superseded", reason });
  expect([await runs(), (await read()).lastRequest?.result]).toEqual([image("1.1.0"), `refused: ${reason}`]);
});

test("a process that is killed at any write of a rollback loses no template", async () => {
  // The copy of the template that is left, the claim, the template, and what was applied.
  for (const fatal of [1, 2, 3, 4])
    for (const moment of ["before", "after"] as const) {
      const { ports, input, runs, settings, kept, read, path, request } = await openPruned("Deployment");
      // A recorder may not have kept the template that runs.
      const { uid } = (await read()).ref;
      await request("DELETE", `${path}/controllerrevisions/pawl-${uid}-${(await read()).releases?.hash}`);
      expect(await kept()).toHaveLength(1);
      let writes = 0;
      const isAlive = async (at: "before" | "after") => {
        if (at === "before") writes += 1;
        return writes < fatal || (writes === fatal && at === "before" && moment === "after");
      };
      const onlooker = {
        opens: Promise.resolve(),
        before: () => isAlive("before"),
        after: () => isAlive("after"),
      };
      const proxy = await startWriteProxy(settings.kubeConfig, onlooker);
      const kubeConfig = new KubeConfig();
      kubeConfig.loadFromString(proxy.kubeconfig);
      const cluster = createKubernetesCluster({ ...settings, kubeConfig });
      const first = await restoreRelease({ ...ports, cluster }, input).catch((error: unknown) => error);
      await proxy.close();
      expect([first, writes], `${moment} write ${fatal}`).toEqual([expect.any(Error), fatal]);
      const { inFlight } = (await ports.cluster.read(input.workload))!;
      const next = { ...input, adopting: inFlight !== null };
      expect(await restoreRelease(ports, next), `${moment} write ${fatal}`).toMatchObject({ kind: "applied" });
      expect([await runs(), (await kept()).length]).toEqual([image("1.0.0"), 2]);
    }
});
