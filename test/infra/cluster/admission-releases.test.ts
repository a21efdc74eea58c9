import { describe, expect, test } from "vitest";
import { updateDenials } from "./admission.ts";
import { testDeniedChanges } from "./admission-cases.ts";
import { changed, cronJob, deployment, type Sample } from "./admission-samples.ts";

const setTemplate = ({ spec }: Sample): void => {
  spec.template = {
    metadata: { labels: { app: "app", tier: "back" }, annotations: { "team.example/owner": "b" } },
    spec: { containers: [{ name: "other", image: "registry.example/other:1", command: ["run"] }] },
  } as unknown as Sample["spec"]["template"];
};

describe.for(["deployments.apps", "statefulsets.apps", "daemonsets.apps"])("the pod template of %s", (resource) => {
  test("may be replaced by restorers, and by no other group", () => {
    const object = changed(deployment, setTemplate);
    expect(updateDenials(resource, "pawl:restorers", deployment, object)).toEqual([]);
    for (const group of ["pawl:pollers", "pawl:recorders", "pawl:analysts", "pawl:updaters"])
      expect(updateDenials(resource, group, deployment, object)).not.toEqual([]);
  });

  const message = "spec change denied; only the pod template";
  testDeniedChanges({ resource, sample: deployment, groups: ["pawl:restorers"] }, [
    { change: "replicas", message, edit: ({ spec }) => void (spec["replicas"] = 9) },
    { change: "the selector", message, edit: ({ spec }) => void (spec["selector"] = {}) },
    { change: "minReadySeconds", message, edit: ({ spec }) => void (spec["minReadySeconds"] = 1) },
    { change: "volumeClaimTemplates", message, edit: ({ spec }) => void (spec["volumeClaimTemplates"] = []) },
  ]);
});

test.for([
  { what: "a CronJob", resource: "cronjobs.batch", sample: cronJob },
  {
    what: "a set of a StatefulCanary",
    resource: "statefulsets.apps",
    sample: changed(deployment, ({ metadata }) => {
      const owner = { apiVersion: "pawl.dev/v1alpha1", kind: "StatefulCanary", name: "db", uid: "u-2" };
      Object.assign(metadata, { ownerReferences: [owner] });
    }),
  },
])("restorers may change nothing of $what", ({ resource, sample }) => {
  const object = changed(sample as Sample, ({ spec }) => void (spec["minReadySeconds"] = 7));
  expect(updateDenials(resource, "pawl:restorers", sample, object)).not.toEqual([]);
});
