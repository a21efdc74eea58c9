import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import {
  type AutoUpdate,
  resource as autoUpdates,
} from "../../../../functions/adapters/kubernetes/auto-update/object.ts";
import { crdMissing } from "../../../../functions/adapters/kubernetes/auto-update/unrecordable.ts";
import { createUnusedAutoUpdateKind } from "../../../../functions/adapters/kubernetes/kinds/record/unused-auto-update.ts";
import type { WorkloadKind } from "../../../../functions/adapters/kubernetes/kinds/kind.ts";
import { listWorkloads } from "../../../../functions/adapters/kubernetes/list-workloads.ts";
import type { KubernetesObject } from "../../../../functions/adapters/kubernetes/objects.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { workload } from "../../../support/workloads.ts";
import { portErrorFor } from "../api/admission-denial.ts";
import { problemsOf, textsOf } from "../../../support/problems.ts";

const deployments: WorkloadKind = {
  resource: { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" },
  isStatefulSet: false,
  usesAutoUpdate: true,
  listScope: "metadata",
  isOptedIn: () => true,
  read: async ({ metadata }) => named("Deployment", metadata),
  write: () => Promise.reject(new Error("a list only reads")),
};

const claws: WorkloadKind = {
  ...deployments,
  resource: { group: "claw.prismer.ai", version: "v1alpha1", plural: "claws", kind: "Claw" },
  usesAutoUpdate: false,
  read: async ({ metadata }) => named("Claw", metadata),
};

const unused: WorkloadKind = {
  ...deployments,
  resource: autoUpdates,
  read: async ({ metadata }) => ({ ...named("AutoUpdate", metadata), problems: problemsOf("it updates nothing") }),
};

function named(kind: string, { namespace, name }: KubernetesObject["metadata"]): Workload {
  const { ref, ...rest } = workload();
  return { ...rest, ref: { ...ref, kind, namespace, name } };
}

interface Served {
  /** null if the CRD is not installed. */
  readonly autoUpdates: readonly AutoUpdate[] | null;
  /** "PLURAL NAMESPACE" of lists that are denied. */
  readonly denied?: readonly string[];
}

/** Returns an API that has a Deployment and a Claw `web` in every namespace. */
function apiWith({ autoUpdates: served, denied = [] }: Served): KubernetesApi {
  const objectOf = (plural: string, namespace: string) => ({
    metadata: { name: "web", namespace, uid: `${plural}-${namespace}`, resourceVersion: "7" },
  });
  const api = {
    async *list({ plural }: WorkloadKind["resource"], namespace: string) {
      if (denied.includes(`${plural} ${namespace}`)) throw portErrorFor(403, `list ${plural} ${namespace}`);
      if (plural === autoUpdates.plural && served === null) return;
      const found = (served ?? []).filter(({ metadata }) => metadata.namespace === namespace);
      const items = plural === autoUpdates.plural ? found : [objectOf(plural, namespace)];
      yield { items, scope: "full", fullObjects: async () => items, next: () => null };
    },
  };
  return api as unknown as KubernetesApi;
}

function autoUpdate(name: string, targetRef: Partial<AutoUpdate["spec"]["targetRef"]> = {}): AutoUpdate {
  const metadata = { name, namespace: "shop", uid: `u-${name}`, resourceVersion: "8" };
  return { metadata, spec: { targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web", ...targetRef } } };
}

async function list(served: Served, kinds: readonly WorkloadKind[] = [deployments, claws]) {
  const reported: string[] = [];
  const found: Workload[] = [];
  const onSkipped = ({ name, message }: Error) => void reported.push(`${name}: ${message}`);
  for await (const one of listWorkloads(kinds, unused, ["shop", "back"], apiWith(served), onSkipped)) found.push(one);
  const brief = found.map(({ ref, record, problems }) => [
    `${ref.kind} ${ref.namespace}`,
    record.state,
    ...textsOf(problems),
  ]);
  return { brief, reported };
}

test("without the CRD no workload that needs it can be recorded, which is reported once", async () => {
  const { brief, reported } = await list({ autoUpdates: null });
  expect(brief).toEqual([
    ["Deployment shop", "unavailable", crdMissing],
    ["Deployment back", "unavailable", crdMissing],
    ["Claw shop", "observed"],
    ["Claw back", "observed"],
  ]);
  expect(reported).toEqual([`NotInstalled: ${crdMissing}`]);
});

test("without the CRD nothing is reported if no workload needs it", async () => {
  const { brief, reported } = await list({ autoUpdates: null }, [claws]);
  expect(brief).toEqual([
    ["Claw shop", "observed"],
    ["Claw back", "observed"],
  ]);
  expect(reported).toEqual([]);
});

test("where AutoUpdates may not be listed no workload is that needs one; the denial is reported once", async () => {
  const { brief, reported } = await list({ autoUpdates: [], denied: ["autoupdates shop"] });
  expect(brief.map(([name]) => name)).toEqual(["Deployment back", "Claw shop", "Claw back"]);
  expect(reported).toEqual([expect.stringMatching(/^Forbidden: list autoupdates shop/)]);
});

test.for([
  { denied: ["autoupdates shop", "autoupdates back"], kinds: [deployments] },
  { denied: ["autoupdates shop", "deployments back"], kinds: [deployments] },
  { denied: ["autoupdates shop", "autoupdates back", "claws shop", "claws back"], kinds: [deployments, claws] },
])("nothing can be listed if $denied is denied: Forbidden", async ({ denied, kinds }) => {
  await expect(list({ autoUpdates: [], denied }, kinds)).rejects.toMatchObject({ name: "Forbidden" });
});

test("one kind that can be listed is enough", async () => {
  const denied = ["autoupdates shop", "autoupdates back", "claws shop"];
  const { brief, reported } = await list({ autoUpdates: [], denied });
  expect(brief.map(([name]) => name)).toEqual(["Claw back"]);
  expect(reported).toHaveLength(3);
});

test.for([{ kind: "StatefulSet" }, { kind: "Job" }, { name: "other" }, { apiVersion: "extensions/v1beta1" }])(
  "a workload cannot be recorded while the AutoUpdate of its name has the target %o",
  async (targetRef) => {
    const taken = autoUpdate("deployment-web", targetRef);
    const { brief, reported } = await list({ autoUpdates: [taken, autoUpdate("unnamed")] }, [deployments]);
    expect(brief).toEqual([
      ["Deployment shop", "unavailable", expect.stringMatching(/^AutoUpdate shop\/deployment-web has another target/)],
      ["Deployment back", "observed"],
      ["AutoUpdate shop", "observed", "it updates nothing"],
      ["AutoUpdate shop", "observed", "it updates nothing"],
    ]);
    expect(reported).toEqual([]);
  },
);

test("10,000 AutoUpdates without a target cost 100 requests in a poll, and none once they are reported", async () => {
  const conditions = [
    { type: "Stalled", status: "True", reason: "InvalidConfiguration", message: "no target" },
  ] as const;
  const many = (reported: number) =>
    Array.from({ length: 10_000 }, (_, index) => {
      const found = autoUpdate(`deployment-${index}`, { name: String(index) });
      return index < reported ? { ...found, status: { observedGeneration: 1, conditions } } : found;
    });
  const requests: string[] = [];
  const api = (served: readonly AutoUpdate[]): KubernetesApi => ({
    ...apiWith({ autoUpdates: served }),
    get: async (_resource, namespace, name) => (requests.push(`${namespace}/${name}`), null),
  });
  for (const { reported, asked, yielded } of [
    { reported: 0, asked: 100, yielded: 100 },
    { reported: 9950, asked: 50, yielded: 10_000 },
  ]) {
    requests.length = 0;
    const skipped: string[] = [];
    const unusedKind = createUnusedAutoUpdateKind([deployments], { now: () => new Date() });
    const listed = listWorkloads(
      [deployments],
      unusedKind,
      ["shop"],
      api(many(reported)),
      ({ message }) => void skipped.push(message),
    );
    const found: Workload[] = [];
    for await (const one of listed) found.push(one);
    expect(found.filter(({ ref }) => ref.kind === "AutoUpdate")).toHaveLength(yielded);
    expect(requests).toHaveLength(asked);
    expect(skipped).toEqual(
      asked === 50
        ? []
        : ["namespace shop has 10000 AutoUpdates without a workload, of which one poll reads 100; delete them"],
    );
  }
});

test("an AutoUpdate with the name and target of a workload is its own", async () => {
  const { brief } = await list({ autoUpdates: [autoUpdate("deployment-web")] }, [deployments]);
  expect(brief).toEqual([
    ["Deployment shop", "observed"],
    ["Deployment back", "observed"],
  ]);
});
