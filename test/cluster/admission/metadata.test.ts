import { KubernetesObjectApi, PatchStrategy } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { examples, objectsOf } from "../../docs/examples.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { anything, type Sample, updateDenial } from "./admission.ts";
import { testDeniedChanges } from "./cases.ts";
import { changed, claw, cronJob, deployment, workloads } from "./samples.ts";

interface Described extends Sample {
  readonly metadata: {
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
    [field: string]: unknown;
  };
}
type Edit = (copy: Described) => void;

const kinds: readonly { readonly resource: string; readonly sample: Described }[] = [
  ...workloads,
  { resource: "cronjobs.batch", sample: cronJob },
  { resource: "claws.claw.prismer.ai", sample: claw },
];

const set =
  (key: string, value = "new"): Edit =>
  ({ metadata }) =>
    void (metadata.annotations = { ...metadata.annotations, [key]: value });
const remove =
  (key: string): Edit =>
  ({ metadata }) =>
    void delete metadata.annotations?.[key];

describeOnRealCluster("the policy pawl-annotations", () => {
  describe.for(kinds)("of the metadata of $resource", ({ resource, sample }) => {
    const metadata = "pawl-annotations: metadata change denied; only annotations may change";
    const finalizers = resource.endsWith(".apps") ? "pawl-annotations: finalizer change denied" : metadata;
    const groups = ["pawl:pollers", "pawl:recorders", "pawl:updaters"];

    testDeniedChanges({ resource, sample, groups }, [
      { change: "another annotation", edit: set("team.example/owner"), message: "team.example/owner" },
      { change: "another annotation added", edit: set("prometheus.io/scrape"), message: "prometheus.io/scrape" },
      { change: "another annotation removed", edit: remove("team.example/owner"), message: "team.example/owner" },
      { change: "a similar prefix", edit: set("xpawl.dev/execution"), message: "xpawl.dev/execution" },
      {
        change: "another similar prefix",
        edit: set("pawl.dev.example/execution"),
        message: "pawl.dev.example/execution",
      },
      { change: "an annotation of the operator", edit: set("claw.prismer.ai/other"), message: "claw.prismer.ai/other" },
      {
        change: "annotations removed",
        edit: (it) => void delete it.metadata.annotations,
        message: "team.example/owner",
      },
      { change: "labels", edit: (it) => void (it.metadata.labels = { app: "other" }), message: metadata },
      { change: "labels removed", edit: (it) => void delete it.metadata.labels, message: metadata },
      { change: "finalizers", edit: (it) => void (it.metadata["finalizers"] = []), message: finalizers },
      { change: "ownerReferences", edit: (it) => void (it.metadata["ownerReferences"] = []), message: metadata },
    ]);
  });

  test("names every denied annotation", async () => {
    const annotations = { "pawl.dev/execution": "x", a: "1", b: "2" };
    const object = changed(deployment, ({ metadata }) => void (metadata.annotations = annotations));
    const denial = await updateDenial("deployments.apps", ["pawl:updaters", anything], deployment, object);
    const [, names = ""] = /^pawl-annotations: change of (.*) denied; a group may change only/.exec(denial ?? "") ?? [];
    expect(names.split(", ").toSorted()).toEqual(["a", "b", "pawl.dev/auto-update", "team.example/owner"]);
  });

  test("admits a user without groups", async () => {
    const object = changed(claw, ({ metadata }) => void (metadata.annotations = {}));
    expect(await updateDenial("claws.claw.prismer.ai", anything, claw, object)).toBeNull();
  });
});

describeOnRealCluster("the examples of the documentation, applied by a person", () => {
  test.for(examples)("%s, in a dry run of the server, which refuses unknown fields", async (file) => {
    const api = KubernetesObjectApi.makeApiClient(realKubeConfig());
    for (const object of objectsOf(file)) {
      const named = { ...object, metadata: { namespace: "default", ...object.metadata } };
      const applied = await api.patch(named, undefined, "All", "examples", undefined, PatchStrategy.ServerSideApply);
      expect(applied.metadata?.name).toBe(object.metadata.name);
    }
  });
});
