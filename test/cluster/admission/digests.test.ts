import { describe, expect, test } from "vitest";
import { imageUpdaterFinalizer } from "../../../functions/domain/workload/policy/annotations.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { anything, type Sample, updateDenial } from "./admission.ts";
import { changed, claw, cronJob, workloads } from "./samples.ts";

const otherFinalizer = "shop.example/keep";

function withFinalizers<T extends Sample>(sample: T, ...finalizers: readonly string[]): T {
  return changed(sample, ({ metadata }) => void Object.assign(metadata, { finalizers }));
}

describeOnRealCluster("the finalizer of kubernetes-image-updater", () => {
  describe.for(workloads)("on $resource", ({ resource, sample }) => {
    const before = withFinalizers(sample, otherFinalizer, imageUpdaterFinalizer);
    const only = withFinalizers(sample, imageUpdaterFinalizer);
    const none = withFinalizers(sample);

    test("may be removed by updaters", async () => {
      expect(await updateDenial(resource, "pawl:updaters", before, sample)).toBeNull();
      expect(await updateDenial(resource, "pawl:updaters", only, none)).toBeNull();
      expect(await updateDenial(resource, "pawl:updaters", before, before)).toBeNull();
    });

    test.for(["pawl:recorders", "pawl:updaters"])("may not be added, nor another changed, by %s", async (group) => {
      for (const [from, to] of [
        [sample, before],
        [sample, only],
        [before, none],
      ] as const)
        expect(await updateDenial(resource, [group, anything], from, to)).toContain(
          "pawl-annotations: finalizer change denied",
        );
    });
  });

  test.for<{ resource: string; sample: Sample }>([
    { resource: "cronjobs.batch", sample: cronJob },
    { resource: "claws.claw.prismer.ai", sample: claw },
  ])("may not be removed from $resource, which do not have it", async ({ resource, sample }) => {
    const before = withFinalizers(sample, otherFinalizer, imageUpdaterFinalizer);
    const after = withFinalizers(sample, otherFinalizer);
    expect(await updateDenial(resource, ["pawl:updaters", anything], before, after)).toBe(
      "pawl-annotations: metadata change denied; only annotations may change",
    );
  });
});
