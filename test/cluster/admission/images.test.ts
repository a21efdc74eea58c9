import { describe, expect, test } from "vitest";
import { isSameRepository } from "../../../functions/domain/image/reference.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { anything, type Sample, updateDenial } from "./admission.ts";
import { type DeniedChange, testDeniedChanges } from "./cases.ts";
import { deniedInCronJobs, setImages } from "./cron-job-edits.ts";
import {
  allowedToUpdaters,
  denied,
  deniedInDeployments,
  deniedInWorkloads,
  restartedAt,
  setImage,
  setPodAnnotation,
  setRestartedAt,
} from "./edits.ts";
import { changed, cronJob, daemonSet, deployment, type Workload, workloads } from "./samples.ts";

/** Each is like the image of the first container. */
const otherRepositories = [
  "evil.example/shop/app:1.0.0",
  "registry.example:5000/shop/app:1.0.0",
  "registry.example/shop/app/miner:1.0.0",
  "registry.example/shop:1.0.0",
  "registry.example/proxy:3.1.4",
  "docker.io/registry.example/shop/app:1.0.0",
  "shop/app:1.0.0",
];
const otherImages: readonly DeniedChange<Workload>[] = [
  ...otherRepositories.map((image) => ({
    change: `the image to "${image}"`,
    message: denied.container,
    edit: ({ spec }: Workload) =>
      spec.template.spec.containers.splice(0, 1, { ...spec.template.spec.containers[0], name: "app", image }),
  })),
  {
    change: "the repository of an init container",
    message: denied.container,
    edit: (it) =>
      it.spec.template.spec.initContainers.forEach((one) => (one.image = "registry.example/shop/app:1.0.0")),
  },
];

const onlyUpdaters =
  "pawl-images: spec change denied; only the groups pawl:updaters and pawl:restorers may change a spec";
const others = ["pawl:pollers", "pawl:recorders", "pawl:analysts"];

describeOnRealCluster("the policy pawl-images", () => {
  describe.for(workloads)("of $resource", ({ resource, sample }) => {
    test.for(allowedToUpdaters)("an updater may change $change", async ({ edit }) => {
      expect(await updateDenial(resource, "pawl:updaters", sample, changed(sample, edit))).toBeNull();
    });

    testDenied(resource, sample, [...deniedInWorkloads, ...otherImages]);

    test.for(others)("%s may change neither an image nor restartedAt", async (group) => {
      for (const edit of [setImage, setRestartedAt])
        expect(await updateDenial(resource, [group, anything], sample, changed(sample, edit))).toBe(onlyUpdaters);
    });
  });

  testDenied("deployments.apps", deployment, deniedInDeployments);

  test("restartedAt may be added, changed and removed, also if there were no annotations", async () => {
    const bare = changed(daemonSet, ({ spec }) => void delete spec.template.metadata.annotations);
    const first = changed(bare, setRestartedAt);
    const second = changed(first, (it) => setPodAnnotation(it, restartedAt, "later"));
    for (const [before, after] of [
      [bare, first],
      [first, second],
      [second, bare],
    ] as const)
      expect(await updateDenial("daemonsets.apps", "pawl:updaters", before, after)).toBeNull();
  });

  describe("of cronjobs.batch", () => {
    test("an updater may change the images of its pods, and other groups may not", async () => {
      const object = changed(cronJob, setImages);
      expect(await updateDenial("cronjobs.batch", "pawl:updaters", cronJob, object)).toBeNull();
      for (const group of others)
        expect(await updateDenial("cronjobs.batch", [group, anything], cronJob, object)).toBe(onlyUpdaters);
    });

    testDenied("cronjobs.batch", cronJob, deniedInCronJobs);
  });

  test.for([
    { before: "nginx:1.0", after: "docker.io/library/nginx:1.1", isSame: true },
    { before: "index.docker.io/library/nginx", after: `library/nginx@sha256:${"0".repeat(64)}`, isSame: true },
    { before: "registry-1.docker.io/shop/app:1", after: "shop/app:2", isSame: true },
    { before: "localhost/app:1", after: "localhost:5000/app:1", isSame: false },
    { before: "localhost/app:1", after: "docker.io/localhost/app:1", isSame: false },
    { before: "docker.io/shop/app:1", after: "docker.io/library/shop/app:1", isSame: false },
    { before: "Registry/app:1", after: "docker.io/Registry/app:1", isSame: false },
    { before: "localhost:5000", after: "localhost", isSame: true },
  ])("$before and $after are of the same repository: $isSame", async ({ before, after, isSame }) => {
    const running = (image: string) =>
      changed(deployment, ({ spec }) => spec.template.spec.containers.forEach((one) => (one.image = image)));
    const denial = await updateDenial("deployments.apps", "pawl:updaters", running(before), running(after));
    expect(denial === null).toBe(isSame);
    expect(isSameRepository(before, after)).toBe(isSame);
  });
});

/** Updaters are denied a change for what it changes, recorders for their group as well. */
function testDenied<T extends Sample>(resource: string, sample: T, changes: readonly DeniedChange<T>[]): void {
  testDeniedChanges({ resource, sample, groups: ["pawl:updaters"] }, changes);

  test.for(changes)("$change is denied to a recorder", async ({ edit }) => {
    const object = changed(sample, edit);
    expect(await updateDenial(resource, ["pawl:recorders", anything], sample, object)).toBe(onlyUpdaters);
  });
}
