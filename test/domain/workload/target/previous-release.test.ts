import fc from "fast-check";
import { expect, test } from "vitest";
import { liftTarget, liftVersion } from "../../../../functions/domain/workload/target/previous-release.ts";
import { type Target, targetKey } from "../../../../functions/domain/workload/target/target.ts";

const digest = `sha256:${"a".repeat(64)}`;
const config = `config:${"b".repeat(32)}`;
const request = "0".repeat(26) + "742d31";
const image = "shop/web:1.2.0";

test.for<{ readonly text: string; readonly isRestart: boolean; readonly release?: number; readonly target: Target }>([
  { text: image, isRestart: false, target: { kind: "image", image } },
  { text: `${image}@${digest}`, isRestart: false, target: { kind: "image", image: `${image}@${digest}` } },
  { text: `${image}@${digest}`, isRestart: true, target: { kind: "digest", image, digest } },
  { text: `${image}@${config}`, isRestart: true, target: { kind: "config", image, digest: config } },
  { text: `${image}@restart:${request}`, isRestart: true, target: { kind: "restart", image, request } },
  { text: image, isRestart: false, release: 4, target: { kind: "release", image, number: 4 } },
  { text: image, isRestart: true, target: { kind: "image", image } },
])("the target $text of the version before is lifted: $target", ({ text, isRestart, release, target }) => {
  expect(liftTarget(text, isRestart, release)).toEqual(target);
});

test("what is written for the version before is lifted again", () => {
  const anyTarget: fc.Arbitrary<Target> = fc.oneof(
    fc.record({ kind: fc.constant("image"), image: fc.constant(image) }),
    fc.record({ kind: fc.constant("digest"), image: fc.constant(image), digest: fc.constant(digest) }),
    fc.record({ kind: fc.constant("config"), image: fc.constant(image), digest: fc.constant(config) }),
    fc.record({
      kind: fc.constant("restart"),
      image: fc.constant(image),
      request: fc.stringMatching(/^[0-9a-f]{32}$/),
    }),
    fc.record({ kind: fc.constant("release"), image: fc.constant(image), number: fc.nat() }),
  );
  fc.assert(
    fc.property(anyTarget, (target) => {
      const release = target.kind === "release" ? target.number : undefined;
      expect(liftTarget(targetKey(target), target.kind !== "image", release)).toEqual(target);
    }),
  );
});

test.for([
  { text: "1.2.0", version: "1.2.0", kind: "image" },
  { text: `1.2.0@${digest}`, version: `1.2.0@${digest}`, kind: "digest" },
  { text: `1.2.0@${config}`, version: `1.2.0@${config}`, kind: "config" },
  { text: `1.2.0@restart:${request}`, version: "1.2.0", kind: "restart" },
])("the version $text of the version before is lifted: $version, $kind", ({ text, version, kind }) => {
  expect(liftVersion(text)).toEqual({ version, kind });
});
