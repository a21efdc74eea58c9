import { describe, expect, test } from "vitest";
import { updateDenials } from "./admission.ts";
import { testDeniedChanges } from "./admission-cases.ts";
import { changed, claw, cronJob, deployment } from "./admission-samples.ts";

interface Sample {
  readonly metadata: {
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
    [field: string]: unknown;
  };
}
type Edit = (copy: Sample) => void;

const workloads: readonly { readonly resource: string; readonly sample: Sample }[] = [
  { resource: "deployments.apps", sample: deployment },
  { resource: "statefulsets.apps", sample: deployment },
  { resource: "daemonsets.apps", sample: deployment },
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

describe.for(workloads)("the metadata of $resource", ({ resource, sample }) => {
  const update = (edit: Edit, group = "pawl:recorders") =>
    updateDenials(resource, ["system:authenticated", group], sample, changed(sample, edit));

  test("fields that the server sets may change", () => {
    const edit: Edit = ({ metadata }) =>
      Object.assign(metadata, { generation: 4, resourceVersion: "8", managedFields: [] });
    expect(update(edit)).toEqual([]);
    expect(update(set("deprecated.daemonset.template.generation", "2"))).toEqual([]);
  });

  const metadata = "pawl-annotations: metadata change denied; only annotations may change";
  const finalizers = sample === deployment ? "pawl-annotations: finalizer change denied" : metadata;
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
    { change: "finalizers removed", edit: (it) => void delete it.metadata["finalizers"], message: finalizers },
    { change: "ownerReferences", edit: (it) => void (it.metadata["ownerReferences"] = []), message: metadata },
  ]);
});

test("a denial names every denied annotation", () => {
  const object = changed(
    deployment,
    (it) => void (it.metadata.annotations = { "pawl.dev/execution": "x", a: "1", b: "2" }),
  );
  expect(updateDenials("deployments.apps", "pawl:updaters", deployment, object)).toEqual([
    "pawl-annotations: change of a, b, pawl.dev/auto-update, team.example/owner denied; a group may change only the annotations that its functions write",
  ]);
});
