import { expect, test } from "vitest";
import {
  annotations,
  clawAnnotations,
  imageUpdaterAnnotations,
} from "../../../../functions/domain/workload/policy/annotations.ts";

test.for([
  { owner: "Pawl", prefix: "pawl.dev/", keys: Object.values(annotations) },
  { owner: "k8s4claw", prefix: "claw.prismer.ai/", keys: Object.values(clawAnnotations) },
  {
    owner: "kubernetes-image-updater",
    prefix: "image-updater.eznix86.github.io/",
    keys: Object.values(imageUpdaterAnnotations),
  },
])("the annotations of $owner have its prefix, and no two are the same", ({ prefix, keys }) => {
  expect(keys.filter((key) => !key.startsWith(prefix))).toEqual([]);
  expect(new Set(keys).size).toBe(keys.length);
});
