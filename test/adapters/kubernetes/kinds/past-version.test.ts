import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { recordPastVersion } from "../../../../functions/adapters/kubernetes/kinds/record/past-version.ts";
import type { Change } from "../../../../functions/domain/workload/update/change.ts";
import { workload } from "../../../support/workloads.ts";

const uid = "u-1";
const source = "registry.example/shop/app:1.1.0";
const selector = { matchLabels: { app: "web" } };
const change: Change = { updateRecord: { candidateVersion: "2.0.0", currentVersion: "1.1.0" } };

const kinds = {
  Deployment: { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" },
  StatefulSet: { group: "apps", version: "v1", plural: "statefulsets", kind: "StatefulSet" },
  CronJob: { group: "batch", version: "v1", plural: "cronjobs", kind: "CronJob" },
};

interface Revision {
  readonly image: string;
  readonly owner?: string;
}

interface Case {
  readonly kind?: keyof typeof kinds;
  readonly revisions: readonly Revision[];
  readonly source?: string | null;
}

/** Records the first change of a workload whose controller keeps these revisions. */
async function record({ kind = "Deployment", revisions, source: tracked = source }: Case) {
  const requests: unknown[] = [];
  const template = (image: string) => ({ template: { spec: { containers: [{ name: "app", image }] } } });
  const listSelected = async (...request: readonly [{ readonly plural: string }, string, string]) => {
    requests.push([request[0].plural, request[1], request[2]]);
    return revisions.map(({ image, owner = uid }) => ({
      metadata: { ownerReferences: [{ apiVersion: "apps/v1", kind, uid: owner, controller: true }] },
      ...(kind === "Deployment" ? { spec: template(image) } : { data: { spec: template(image) } }),
    }));
  };
  const api = { listSelected } as unknown as KubernetesApi;
  const metadata = { name: "web", namespace: "shop", uid, resourceVersion: "7" };
  const object = { metadata, spec: { selector, ...template(tracked ?? "") } };
  const recorded = await recordPastVersion(object, { ...workload(), source: tracked }, change, kinds[kind], api);
  return { recorded, requests };
}

const older = { image: "registry.example/shop/app:1.0.0" };
const newer = { image: "registry.example/shop/app:1.3.0" };

test.for([
  { when: "it ran nothing else", revisions: [], version: "1.1.0" },
  { when: "it only ran older versions", revisions: [older], version: "1.1.0" },
  { when: "a person rolled a newer version back", revisions: [older, newer], version: "1.3.0" },
  { when: "only a canary beside it was newer", revisions: [{ ...newer, owner: "u-2" }], version: "1.1.0" },
  {
    when: "a newer version was rolled back, and a canary beside it was newer still",
    revisions: [newer, { image: "registry.example/shop/app:1.4.0", owner: "u-2" }],
    version: "1.4.0",
  },
  { when: "another repository was newer", revisions: [{ image: "registry.example/log:9.0.0" }], version: "1.1.0" },
  {
    when: "it ran a tag that is no version",
    revisions: [{ image: "registry.example/shop/app:edge" }],
    version: "1.1.0",
  },
])("the current version is $version at the first record if $when", async ({ revisions, version }) => {
  const { recorded } = await record({ revisions });
  expect(recorded.updateRecord).toEqual({ candidateVersion: "2.0.0", currentVersion: version });
});

test.for([
  { kind: "Deployment" as const, plural: "replicasets" },
  { kind: "StatefulSet" as const, plural: "controllerrevisions" },
])("past versions of a $kind are those of its $plural", async ({ kind, plural }) => {
  const { recorded, requests } = await record({ kind, revisions: [newer] });
  expect(recorded.updateRecord?.currentVersion).toBe("1.3.0");
  expect(requests).toEqual([[plural, "shop", "app=web"]]);
});

test.for<Case>([
  { kind: "CronJob", revisions: [newer] },
  { source: null, revisions: [newer] },
])("nothing is listed for %o", async (subject) => {
  expect(await record(subject)).toEqual({ recorded: change, requests: [] });
});
