import { describe, expect, test } from "vitest";
import { imageUpdaterAnnotations, imageUpdaterFinalizer } from "../../../functions/domain/workload/annotations.ts";
import { updateDenials } from "./admission.ts";
import { changed, claw, cronJob, deployment } from "./admission-samples.ts";

interface Sample {
  readonly metadata: Record<string, unknown>;
}

const { lastDigest, ...others } = imageUpdaterAnnotations;
const otherFinalizer = "shop.example/keep";

function withAnnotation<T extends Sample>(sample: T, key: string, value = "app:sha256:00"): T {
  return changed(sample, ({ metadata }) => {
    metadata["annotations"] = { ...(metadata["annotations"] as object), [key]: value };
  });
}

function withFinalizers<T extends Sample>(sample: T, ...finalizers: readonly string[]): T {
  return changed(sample, ({ metadata }) => void (metadata["finalizers"] = finalizers));
}

describe.for(["deployments.apps", "statefulsets.apps", "daemonsets.apps"])(
  "kubernetes-image-updater on %s",
  (resource) => {
    const groups = ["pawl:recorders", "pawl:updaters"];

    test("last-digest may be added, changed and removed by updaters only", () => {
      const first = withAnnotation(deployment, lastDigest);
      const second = withAnnotation(deployment, lastDigest, "app:sha256:11");
      const countsOf = (group: string) => [
        updateDenials(resource, group, deployment, first).length,
        updateDenials(resource, group, first, second).length,
        updateDenials(resource, group, second, deployment).length,
      ];
      expect(countsOf("pawl:updaters")).toEqual([0, 0, 0]);
      expect(countsOf("pawl:recorders")).toEqual([1, 1, 1]);
    });

    test.for(Object.values(others))("%s may not be changed", (key) => {
      for (const group of groups) {
        expect(updateDenials(resource, group, deployment, withAnnotation(deployment, key))).toEqual([
          `pawl-annotations: change of ${key} denied; a group may change only the annotations that its functions write`,
        ]);
      }
    });

    test("its finalizer may be removed and not added, and no other may change", () => {
      const before = withFinalizers(deployment, otherFinalizer, imageUpdaterFinalizer);
      const only = withFinalizers(deployment, imageUpdaterFinalizer);
      const none = withFinalizers(deployment);
      const denied = [expect.stringContaining("pawl-annotations: finalizer change denied")];
      for (const group of groups) {
        expect(updateDenials(resource, group, before, deployment)).toEqual([]);
        expect(updateDenials(resource, group, only, none)).toEqual([]);
        expect(updateDenials(resource, group, before, before)).toEqual([]);
        for (const after of [before, only]) expect(updateDenials(resource, group, deployment, after)).toEqual(denied);
        expect(updateDenials(resource, group, before, none)).toEqual(denied);
      }
    });
  },
);

test.for([
  { resource: "cronjobs.batch", sample: cronJob },
  { resource: "claws.claw.prismer.ai", sample: claw },
])("$resource have neither last-digest nor the finalizer", ({ resource, sample }) => {
  const withDigest = withAnnotation<Sample>(sample, lastDigest);
  expect(updateDenials(resource, "pawl:updaters", sample, withDigest)).toHaveLength(1);
  const before = withFinalizers<Sample>(sample, otherFinalizer, imageUpdaterFinalizer);
  const after = withFinalizers<Sample>(sample, otherFinalizer);
  expect(updateDenials(resource, "pawl:updaters", before, after)).toEqual([
    "pawl-annotations: metadata change denied; only annotations may change",
  ]);
});
