import type { ReleaseStatus } from "../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { hashRelease } from "../../functions/adapters/kubernetes/kinds/pod-template/pod-template.ts";
import type { TemplateSnapshot } from "../../functions/domain/workload/release/release.ts";
import type { ClusterFixture } from "./cluster-fixture.ts";

interface ReplicaSet {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: TemplateSnapshot };
}

const entry = { by: "hand", result: "Succeeded", at: "2026-11-20T12:00:00Z" } as const;

/** Sets another image on a Deployment with only that in its pods, and records both of its pod templates as releases 1 and 2. */
export async function recordReleases(
  fixture: ClusterFixture,
  name: string,
  [first, second]: readonly [string, string],
): Promise<readonly [ReleaseStatus, ReleaseStatus]> {
  const path = `apps/v1/namespaces/shop/deployments/${name}`;
  const containers = [{ name: "app", image: second }];
  await fixture.edit(path, {
    spec: { template: { spec: { containers, serviceAccountName: null, serviceAccount: null, volumes: null } } },
  });
  const list = (await fixture.object("apps/v1/namespaces/shop/replicasets")) as unknown as { items: ReplicaSet[] };
  const recorded = (number: number, image: string): ReleaseStatus => {
    const own = list.items.filter(({ metadata }) => metadata.name.startsWith(`${name}-`));
    const found = own.find(({ spec }) => spec.template.spec.containers[0]?.image === image);
    if (found === undefined) throw new Error(`no ReplicaSet of ${image}`);
    const version = image.split(":").at(-1) ?? "";
    return { ...entry, number, version, image, hash: hashRelease(found.spec.template), revision: found.metadata.name };
  };
  const releases = [recorded(1, first), recorded(2, second)] as const;
  await fixture.writeStatus(`deployment-${name}`, { releases });
  return releases;
}
