import { describe, expect, test } from "vitest";
import { imageUpdaterAnnotations, imageUpdaterFinalizer } from "../../../functions/domain/annotations.ts";
import { refusals } from "./admission.ts";
import { changed, claw, cronJob, deployment } from "./admission-samples.ts";

interface Sample {
  readonly metadata: Record<string, unknown>;
}

const { lastDigest, ...others } = imageUpdaterAnnotations;

function ask(group: string, resource: string, oldObject: object, object: object): readonly string[] {
  return refusals({ operation: "UPDATE", resource, groups: [group], oldObject, object });
}

function annotated<T extends Sample>(sample: T, key: string, value = "app:sha256:00"): T {
  return changed(sample, ({ metadata }) => {
    metadata["annotations"] = { ...(metadata["annotations"] as object), [key]: value };
  });
}

function held<T extends Sample>(sample: T, ...finalizers: readonly string[]): T {
  return changed(sample, ({ metadata }) => void (metadata["finalizers"] = finalizers));
}

describe.for(["deployments.apps", "statefulsets.apps", "daemonsets.apps"])(
  "of kubernetes-image-updater's on %s",
  (of) => {
    const groups = ["pawl:recorders", "pawl:updaters"];

    test("the last digest is recorded, changed and taken away", () => {
      const first = annotated(deployment, lastDigest);
      const second = annotated(deployment, lastDigest, "app:sha256:11");
      for (const group of groups) {
        expect([
          ask(group, of, deployment, first),
          ask(group, of, first, second),
          ask(group, of, second, deployment),
        ]).toEqual([[], [], []]);
      }
    });

    test.for(Object.values(others))("%s is its owner's", (key) => {
      for (const group of groups) {
        expect(ask(group, of, deployment, annotated(deployment, key))).toEqual([
          `Pawl may not change these annotations: ${key}`,
        ]);
      }
    });

    test("the finalizer is taken away, and never put there", () => {
      const keep = "shop.example/keep";
      const before = held(deployment, keep, imageUpdaterFinalizer);
      for (const group of groups) {
        expect(ask(group, of, before, deployment)).toEqual([]);
        expect(ask(group, of, held(deployment, imageUpdaterFinalizer), held(deployment))).toEqual([]);
        expect(ask(group, of, before, before)).toEqual([]);
        for (const after of [before, held(deployment, imageUpdaterFinalizer)])
          expect(ask(group, of, deployment, after)).toEqual(["Pawl may change no finalizer but its own"]);
        expect(ask(group, of, before, held(deployment))).toEqual(["Pawl may change no finalizer but its own"]);
      }
    });
  },
);

test.for([
  { resource: "cronjobs.batch", sample: cronJob },
  { resource: "claws.claw.prismer.ai", sample: claw },
])("$resource are not followed by digest", ({ resource, sample }) => {
  expect(ask("pawl:updaters", resource, sample, annotated<Sample>(sample, lastDigest))).toHaveLength(1);
  const without = held<Sample>(sample, "shop.example/keep");
  expect(
    ask("pawl:updaters", resource, held<Sample>(sample, "shop.example/keep", imageUpdaterFinalizer), without),
  ).toEqual(["Pawl may change no metadata but annotations"]);
});
