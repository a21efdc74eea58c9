import { describe, expect, test } from "vitest";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { anything, type Sample, updateDenial } from "./admission.ts";
import { testDeniedChanges } from "./cases.ts";
import { changed, cronJob, statefulSet, type Workload, workloads } from "./samples.ts";

const setTemplate = ({ spec }: Workload): void => {
  spec.template = {
    metadata: { labels: { app: "app", tier: "back" }, annotations: { "team.example/owner": "b" } },
    spec: { containers: [{ name: "other", image: "registry.example/other:1", command: ["run"] }] },
  } as unknown as Workload["spec"]["template"];
};

describeOnRealCluster("the policy pawl-images", () => {
  describe.for(workloads)("of the pod template of $resource", ({ resource, sample }) => {
    const object = changed(sample, setTemplate);

    test("lets restorers replace it", async () => {
      expect(await updateDenial(resource, "pawl:restorers", sample, object)).toBeNull();
    });

    test.for(["pawl:pollers", "pawl:recorders", "pawl:analysts", "pawl:updaters"])("lets not %s", async (group) => {
      expect(await updateDenial(resource, [group, anything], sample, object)).toMatch(/^pawl-images: .* denied; /);
    });

    const message = "spec change denied; only the pod template";
    testDeniedChanges({ resource, sample, groups: ["pawl:restorers"] }, [
      ...("replicas" in sample.spec
        ? [{ change: "replicas", message, edit: ({ spec }: Workload) => void (spec["replicas"] = 9) }]
        : []),
      { change: "minReadySeconds", message, edit: ({ spec }) => void (spec["minReadySeconds"] = 1) },
    ]);
  });

  test.for<{ what: string; resource: string; sample: Sample & { spec: Record<string, unknown> }; field: object }>([
    { what: "a CronJob", resource: "cronjobs.batch", sample: cronJob, field: { suspend: true } },
    {
      what: "a set of a StatefulCanary",
      resource: "statefulsets.apps",
      sample: changed(statefulSet, ({ metadata }) => {
        const owner = { apiVersion: "pawl.dev/v1alpha1", kind: "StatefulCanary", name: "db", uid: "u-2" };
        Object.assign(metadata, { ownerReferences: [owner] });
      }),
      field: { minReadySeconds: 7 },
    },
  ])("lets restorers change nothing of $what", async ({ resource, sample, field }) => {
    const object = changed(sample, ({ spec }) => void Object.assign(spec, field));
    expect(await updateDenial(resource, ["pawl:restorers", anything], sample, object)).toMatch(/^pawl-images: /);
  });
});
