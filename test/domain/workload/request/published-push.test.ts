import { expect, test } from "vitest";
import { type ImageReference, parseImageReference } from "../../../../functions/domain/image/reference.ts";
import { refuseUnpublished } from "../../../../functions/domain/workload/request/published-push.ts";
import { imageTarget, target, workload } from "../../../support/workloads.ts";

const request = { verb: "push", argument: "1.1.0", token: "t-1" };
const update = { kind: "update", target: imageTarget(target), isRequested: true } as const;
const image = parseImageReference(target) as ImageReference;

test.for([
  { when: "it is published", request, tags: ["1.0.0", "1.1.0"], refusal: undefined },
  { when: "nobody asks any more", request: null, tags: [], refusal: undefined },
  {
    when: "it is not published",
    request,
    tags: ["1.0.0", "latest"],
    refusal: "1.1.0 is not in registry.example/shop/app; newest are 1.0.0",
  },
  { when: "nothing is", request, tags: [], refusal: "1.1.0 is not in registry.example/shop/app; it has no versions" },
])("the push of a version, if $when: $refusal", ({ request: asked, tags, refusal }) => {
  const decision = refuseUnpublished(workload({ request: asked }), update, image, tags);
  expect(decision).toEqual(refusal === undefined ? update : { kind: "request", ...request, refusal });
});
