import { describe, expect, test } from "vitest";
import { isAsWritten, versionNameOf } from "../../../../functions/domain/image/reference.ts";
import { adopt } from "../../../../functions/domain/workload/update/adopt.ts";
import { isOwnImage, rewriteReason } from "../../../../functions/domain/workload/update/applied-image.ts";
import { checkClaim } from "../../../../functions/domain/workload/update/claim.ts";
import { after, inFlight, target, updateTarget, updatingWorkload } from "../../../support/workloads.ts";

const digest = `sha256:${"a".repeat(64)}`;
const pinned = `${target}@${digest}`;
const mirrored = target.replace("registry.example", "mirror.example");
const replaced = "registry.example/shop/web:1.0.5";

describe("an image as it was written", () => {
  test.for([
    { image: "web:1", written: "web:1", is: true },
    { image: "docker.io/library/web:1", written: "web:1", is: true },
    { image: `web:1@${digest}`, written: "web:1", is: true },
    { image: `web:1@${digest}`, written: `web:1@${digest}`, is: true },
    { image: `web:1@${digest}`, written: `web:1@sha256:${"b".repeat(64)}`, is: false },
    { image: "web:1", written: `web:1@${digest}`, is: false },
    { image: `web:2@${digest}`, written: "web:1", is: false },
    { image: `web@${digest}`, written: "web", is: false },
    { image: "mirror.example/web:1", written: "web:1", is: false },
    { image: "", written: "web:1", is: false },
  ])("$image for $written: $is", ({ image, written, is }) => {
    expect(isAsWritten(image, written)).toBe(is);
  });
});

test.for([
  { image: `web:1@${digest}`, name: "1" },
  { image: `web@${digest}`, name: `@${digest}` },
])("the version of $image is named $name", ({ image, name }) => {
  expect(versionNameOf(image)).toBe(name);
});

describe("the image of an update", () => {
  test.for([
    { when: "it is as written", image: target, update: {}, is: true },
    { when: "a person has added a digest", image: pinned, update: {}, is: false },
    { when: "the API server answered with a digest", image: pinned, update: { appliedImage: pinned }, is: true },
    { when: "a person has removed that", image: target, update: { appliedImage: pinned }, is: false },
    { when: "the answer is not recorded yet", image: pinned, update: { isApplied: false }, is: true },
    {
      when: "its rollback has yet to restore it",
      image: pinned,
      update: { isApplied: false, appliedImage: pinned },
      is: true,
    },
    {
      when: "it has yet to replace that of another",
      image: replaced,
      update: { isApplied: false, replacedImage: replaced },
      is: true,
    },
    { when: "a person has set that again", image: replaced, update: { replacedImage: replaced }, is: false },
    { when: "a webhook made another image of it", image: mirrored, update: { appliedImage: mirrored }, is: true },
  ])("if $when: $is", ({ image, update, is }) => {
    expect(isOwnImage(image, { ...inFlight, ...update })).toBe(is);
    const workload = updatingWorkload({ image, inFlight: { ...inFlight, ...update } });
    expect(checkClaim(workload, "e-1", updateTarget).kind).toBe(is ? "held" : "lost");
  });

  test("is refused if a webhook made another one of it, and says what to do", () => {
    expect(rewriteReason(inFlight)).toBeNull();
    expect(rewriteReason({ ...inFlight, appliedImage: pinned })).toBeNull();
    expect(rewriteReason({ ...inFlight, appliedImage: mirrored })).toBe(
      `a mutating webhook or policy of the cluster changed the image ${target} to ${mirrored}; ` +
        `exempt this workload from it, or name the image in the workload as it does`,
    );
  });

  test("that a webhook changed is written again by its own execution, so that it is refused again", () => {
    const workload = updatingWorkload({ image: mirrored, inFlight: { ...inFlight, appliedImage: mirrored } });
    expect(adopt(workload, "e-1", updateTarget, after(1))).toMatchObject({
      kind: "adopted",
      change: { inFlight: { appliedImage: mirrored } },
    });
  });
});
