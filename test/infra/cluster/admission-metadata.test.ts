import { describe, expect, test } from "vitest";
import { annotations, clawAnnotations } from "../../../functions/domain/annotations.ts";
import { refusals } from "./admission.ts";
import { changed, claw, cronJob, deployment } from "./admission-samples.ts";

const workloads = [
  { resource: "deployments.apps", sample: deployment },
  { resource: "statefulsets.apps", sample: deployment },
  { resource: "daemonsets.apps", sample: deployment },
  { resource: "cronjobs.batch", sample: cronJob },
  { resource: "claws.claw.prismer.ai", sample: claw },
] as const;

interface Metadata {
  annotations?: Record<string, string>;
  labels?: Record<string, string>;
  [field: string]: unknown;
}
type Edit = (metadata: Metadata) => void;

const onlyAnnotations = "Pawl may change no metadata but annotations";
const set =
  (key: string, value = "new"): Edit =>
  (metadata) =>
    void (metadata.annotations = { ...metadata.annotations, [key]: value });
const remove =
  (key: string): Edit =>
  ({ annotations: own }) =>
    void delete own?.[key];

describe.for(workloads)("the metadata of $resource", ({ resource, sample }) => {
  const finalizers = sample === deployment ? "Pawl may change no finalizer but its own" : onlyAnnotations;
  const by = (edit: Edit, group = "pawl:recorders") => {
    const object = changed<{ metadata: Metadata }>(sample, ({ metadata }) => edit(metadata));
    return refusals({
      operation: "UPDATE",
      resource,
      groups: ["system:authenticated", group],
      oldObject: sample,
      object,
    });
  };

  test.for(Object.values(annotations))("%s may be set and taken away", (key) => {
    expect(by(set(key))).toEqual([]);
    const before = changed<{ metadata: Metadata }>(sample, ({ metadata }) => set(key)(metadata));
    const request = { operation: "UPDATE", resource, groups: ["pawl:updaters"], oldObject: before } as const;
    expect(refusals({ ...request, object: changed(before, ({ metadata }) => remove(key)(metadata)) })).toEqual([]);
  });

  test("what the server itself writes is not held against Pawl", () => {
    const edit: Edit = (metadata) =>
      Object.assign(metadata, { generation: 4, resourceVersion: "8", managedFields: [] });
    expect(by(edit)).toEqual([]);
    expect(by(set("deprecated.daemonset.template.generation", "2"))).toEqual([]);
  });

  test.for([
    { what: "another's annotation", edit: set("team.example/owner"), because: "team.example/owner" },
    { what: "a new annotation of another's", edit: set("prometheus.io/scrape"), because: "prometheus.io/scrape" },
    { what: "another's annotation taken away", edit: remove("team.example/owner"), because: "team.example/owner" },
    { what: "a look-alike", edit: set("xpawl.dev/held"), because: "xpawl.dev/held" },
    { what: "another look-alike", edit: set("pawl.dev.example/held"), because: "pawl.dev.example/held" },
    { what: "a Claw's operator's", edit: set("claw.prismer.ai/other"), because: "claw.prismer.ai/other" },
    {
      what: "all annotations taken away",
      edit: (it: Metadata) => void delete it.annotations,
      because: "team.example/owner",
    },
    { what: "a label", edit: (it: Metadata) => void (it.labels = { app: "other" }), because: onlyAnnotations },
    { what: "labels taken away", edit: (it: Metadata) => void delete it.labels, because: onlyAnnotations },
    { what: "finalizers", edit: (it: Metadata) => void (it["finalizers"] = []), because: finalizers },
    { what: "finalizers taken away", edit: (it: Metadata) => void delete it["finalizers"], because: finalizers },
    { what: "owners", edit: (it: Metadata) => void (it["ownerReferences"] = []), because: onlyAnnotations },
  ])("may not be changed in $what", ({ edit, because }) => {
    for (const group of ["pawl:pollers", "pawl:recorders", "pawl:updaters"]) {
      expect(by(edit, group)).toEqual([expect.stringContaining(because)]);
    }
    expect(by(edit, "shop:owners")).toEqual([]);
  });

  test.for(Object.values(clawAnnotations))("%s is a Claw's alone", (key) => {
    expect(by(set(key))).toHaveLength(sample === claw ? 0 : 1);
  });
});

test("a refusal names every annotation that is not Pawl's", () => {
  const object = changed(
    deployment,
    ({ metadata }) => void (metadata.annotations = { "pawl.dev/held": "x", a: "1", b: "2" }),
  );
  const asked = refusals({
    operation: "UPDATE",
    resource: "deployments.apps",
    groups: ["pawl:updaters"],
    oldObject: deployment,
    object,
  });
  expect(asked).toEqual(["Pawl may not change these annotations: a, b, team.example/owner"]);
});
