import type { KubeConfig } from "@kubernetes/client-node";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { listWorkloads } from "../../cli/workloads/list.ts";
import type { Workload } from "../../functions/domain/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { rawRequest } from "../contracts/kubernetes-api/raw-request.ts";
import { actingAs } from "../infra/cluster/acting-as.ts";
import { allowedBy } from "../infra/cluster/manifests.ts";
import {
  applyAll,
  applyPart,
  clusterOf,
  type Group,
  groups,
  removePart,
  whyNoPolicies,
} from "../infra/cluster/pawl-groups.ts";
import { answersTo, everyCall } from "../infra/cluster/rbac-calls.ts";
import { makeWorkload } from "../infra/cluster/update-story.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { installCrd } from "../support/crds/install.ts";
import { describeOnRealCluster, makeNamespace, realKubeConfig } from "../support/real-cluster.ts";

interface Refused {
  readonly what: string;
  readonly by: readonly Group[];
  readonly act: (cluster: Cluster, workload: Workload) => Promise<unknown>;
}

const refused: readonly Refused[] = [
  { what: "write", by: ["pawl:pollers"], act: (cluster, workload) => cluster.change(workload, { image: "other:1" }) },
  { what: "tell", by: ["pawl:pollers"], act: (cluster, workload) => cluster.announce(workload, news) },
  {
    what: "look for stuck pods",
    by: ["pawl:recorders"],
    act: (cluster, workload) => cluster.freeStuckPods(workload, "other:1"),
  },
  { what: "list", by: ["pawl:recorders", "pawl:updaters"], act: (cluster) => listWorkloads(cluster) },
];
const news = { type: "Normal", reason: "AutoUpdateHeld", message: "held", key: "held" } as const;
const mergePatch = "application/merge-patch+json";

const policiesAreKnown = inject("kubeconfig") !== null && (await whyNoPolicies(realKubeConfig())) === null;

describeOnRealCluster("the groups of infra/cluster", () => {
  let admin: KubeConfig;
  let namespace: string;
  const as = (group: Group) => actingAs(group, realKubeConfig()).kubeConfig;

  beforeAll(async () => {
    admin = realKubeConfig();
    await installCrd(admin, "claw");
    await installCrd(admin, "stateful-canary");
    const remove = await applyAll(admin);
    namespace = await makeNamespace(admin, "rbac");
    await makeWorkload(admin, "StatefulSet", namespace);
    return remove;
  });

  test.for(groups)(
    "%s: of all calls there are, those of its role are allowed and the others are denied",
    async (group) => {
      const answers = await answersTo(as(group), everyCall(namespace));
      const allowed = answers.filter(({ code }) => code !== 403).map(({ asked }) => asked);
      expect(allowed.toSorted()).toEqual(allowedBy(group));
      expect(answers.length - allowed.length).toBeGreaterThan(200);
    },
  );

  test.for(groups)("%s sees nothing of the server", async (group) => {
    expect((await rawRequest(as(group), "GET", "/metrics", {})).code).toBe(403);
  });

  // An updater may create canaries: that it makes nothing else is for the policies to say.
  test.for(groups.filter((group) => group !== "pawl:updaters"))("%s makes nothing by applying it", async (group) => {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/new?fieldManager=pawl`;
    const labels = { app: "new" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } };
    const spec = { selector: { matchLabels: labels }, template };
    const body = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "new", namespace }, spec };
    const apply = { contentType: "application/apply-patch+yaml", body };
    expect((await rawRequest(as(group), "PATCH", path, apply)).code).toBe(403);
  });

  test.for(refused.flatMap(({ by, ...rest }) => by.map((group) => ({ ...rest, group }))))(
    "$group may not $what, and the adapter says Forbidden",
    async ({ group, act }) => {
      const cluster = clusterOf(as(group), namespace);
      const [workload] = await listWorkloads(clusterOf(as("pawl:pollers"), namespace));
      if (workload === undefined) throw new Error("the workload is gone");
      await expect(act(cluster, workload)).rejects.toMatchObject({ name: "Forbidden" });
    },
  );

  // Registered only where they can run: an API server before 1.30 does not know policies. They are tested without one too.
  const describePolicies = policiesAreKnown ? describe : () => {};
  describePolicies("the policies of the API server", () => {
    test.for([
      { by: "pawl:updaters", what: "replicas", body: { spec: { replicas: 0 } } },
      { by: "pawl:updaters", what: "a label", body: { metadata: { labels: { app: "other" } } } },
      { by: "pawl:updaters", what: "another's annotation", body: { metadata: { annotations: { owner: "me" } } } },
      {
        by: "pawl:recorders",
        what: "a pod template",
        body: { spec: { template: { metadata: { annotations: { a: "b" } } } } },
      },
    ] as const)("keep $by from changing $what", async ({ by, body }) => {
      const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets/statefulset`;
      const ask = () => rawRequest(as(by), "PATCH", `${path}?dryRun=All`, { contentType: mergePatch, body });
      const answer = await eventually("the policies are in force", async () => {
        const { code, text } = await ask();
        return code === 200 ? undefined : { code, text };
      });
      expect(answer.text).toMatch(/ValidatingAdmissionPolicy 'pawl-/);
    });
  });

  test("bound in one namespace, they reach that one alone", async () => {
    const here = await makeNamespace(admin, "rbac-here");
    await removePart(admin, "everywhere");
    await applyPart(admin, "one-namespace", here);
    for (const group of groups) {
      const mine = async (place: string) => {
        const answers = await answersTo(as(group), everyCall(place));
        return answers.filter(({ code }) => code !== 403).map(({ asked }) => asked);
      };
      await eventually("the bindings are known", async () => (await mine(namespace)).length === 0);
      expect((await mine(here)).toSorted()).toEqual(allowedBy(group));
      expect((await rawRequest(as(group), "GET", "/apis/apps/v1/deployments", {})).code).toBe(403);
    }
  });
});
