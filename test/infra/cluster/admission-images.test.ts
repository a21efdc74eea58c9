import { describe, expect, test } from "vitest";
import { updateDenials } from "./admission.ts";
import { type DeniedChange, testDeniedChanges } from "./admission-cases.ts";
import { deniedInCronJobs, setImages } from "./admission-cron-job-edits.ts";
import {
  allowedToUpdaters,
  denied,
  deniedInWorkloads,
  restartedAt,
  setImage,
  setPodAnnotation,
  setRestartedAt,
} from "./admission-edits.ts";
import { changed, cronJob, deployment, type Sample } from "./admission-samples.ts";

/** Each is like the image of the first container. */
const otherRepositories = [
  "evil.example/shop/app:1.0.0",
  "registry.example:5000/shop/app:1.0.0",
  "registry.example/shop/app/miner:1.0.0",
  "registry.example/shop:1.0.0",
  "registry.example/proxy:3.1.4",
  "docker.io/registry.example/shop/app:1.0.0",
  "shop/app:1.0.0",
  "",
];
const otherImages: readonly DeniedChange<Sample>[] = [
  ...otherRepositories.map((image) => ({
    change: `the image to "${image}"`,
    message: denied.container,
    edit: ({ spec }: Sample) =>
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

describe.for(["deployments.apps", "statefulsets.apps", "daemonsets.apps"])("the spec of %s", (resource) => {
  const update = (group: string, edit: (workload: Sample) => void) =>
    updateDenials(resource, group, deployment, changed(deployment, edit));

  test.for(allowedToUpdaters)("an updater may change: $change", ({ edit }) => {
    expect(update("pawl:updaters", edit)).toEqual([]);
  });

  testDenied(resource, deployment, [...deniedInWorkloads, ...otherImages]);

  test.for([
    { change: "an image", edit: setImage },
    { change: "restartedAt", edit: setRestartedAt },
  ])("a recorder or poller may not change $change", ({ edit }) => {
    expect(update("pawl:recorders", edit)).toEqual([onlyUpdaters]);
    expect(update("pawl:pollers", edit)).toEqual([onlyUpdaters]);
  });
});

test("restartedAt may be added, changed and removed, also if there were no annotations", () => {
  const bare = changed(deployment, ({ spec }) => void delete spec.template.metadata.annotations);
  const first = changed(bare, setRestartedAt);
  const second = changed(first, (it) => setPodAnnotation(it, restartedAt, "later"));
  const update = (oldObject: Sample, object: Sample) =>
    updateDenials("daemonsets.apps", "pawl:updaters", oldObject, object);
  expect([update(bare, first), update(first, second), update(second, bare)]).toEqual([[], [], []]);
});

describe("the spec of cronjobs.batch", () => {
  test("an updater may change the images of its pods, and other groups may not", () => {
    const object = changed(cronJob, setImages);
    expect(updateDenials("cronjobs.batch", "pawl:updaters", cronJob, object)).toEqual([]);
    for (const group of ["pawl:pollers", "pawl:recorders", "pawl:analysts"])
      expect(updateDenials("cronjobs.batch", group, cronJob, object)).toEqual([onlyUpdaters]);
  });

  testDenied("cronjobs.batch", cronJob, deniedInCronJobs);
});

/** Updaters are denied a change for what it changes, recorders for their group as well. */
function testDenied<T extends object>(resource: string, sample: T, changes: readonly DeniedChange<T>[]): void {
  testDeniedChanges({ resource, sample, groups: ["pawl:updaters"] }, changes);

  test.for(changes)("$change is denied to a recorder", ({ edit }) => {
    expect(updateDenials(resource, "pawl:recorders", sample, changed(sample, edit))).toContain(onlyUpdaters);
  });
}
