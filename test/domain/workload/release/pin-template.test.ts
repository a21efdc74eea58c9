import { expect, test } from "vitest";
import {
  movedDigests,
  pinsIn,
  pinsWithout,
  pinTemplate,
} from "../../../../functions/domain/workload/release/pin-template.ts";
import type { TemplateSnapshot } from "../../../../functions/domain/workload/release/release.ts";
import { digest } from "../../../support/digest-workloads.ts";
import { release } from "./releases.ts";

const [first, second] = [digest(1), digest(2)];

test.for([
  { when: "the tag has moved", digests: { app: first }, now: { app: second }, moved: { app: first } },
  { when: "it resolves to the same", digests: { app: first }, now: { app: first }, moved: {} },
  { when: "the container is not tracked now", digests: { app: first }, now: {}, moved: {} },
  { when: "nothing is tracked now", digests: { app: first }, now: null, moved: {} },
  { when: "nothing was tracked", digests: undefined, now: { app: second }, moved: {} },
])("digests to pin: $when", ({ digests, now, moved }) => {
  expect(movedDigests(digests === undefined ? {} : { digests }, now)).toEqual(moved);
});

const template: TemplateSnapshot = {
  spec: {
    containers: [{ name: "app", image: "shop/app:prod" }, { name: "other", image: "shop/other:1" }, { name: "none" }],
    initContainers: [{ name: "init", image: `shop/init:1@${second}` }],
  },
};

test("pins the named containers, and leaves an image that is pinned already", () => {
  expect(pinTemplate(template, { app: first, init: first, none: first })).toEqual({
    spec: {
      containers: [
        { name: "app", image: `shop/app:prod@${first}` },
        { name: "other", image: "shop/other:1" },
        { name: "none" },
      ],
      initContainers: [{ name: "init", image: `shop/init:1@${second}` }],
    },
  });
});

test("a pin that a release recorded is Pawl's, and no other", () => {
  const pinned = pinTemplate(template, { app: first });
  expect(pinsIn(pinned, [release(1, { digests: { app: second } }), release(2, { digests: { app: first } })])).toEqual({
    app: first,
  });
  expect(pinsIn(pinned, [release(1), release(2, { digests: { other: first } })])).toEqual({});
  expect(pinsIn({ spec: { containers: [] } }, [])).toEqual({});
  expect(pinTemplate({ spec: { containers: [] } }, { app: first })).toEqual({ spec: { containers: [] } });
});

test("pins of excluded images are left out, those of init containers too", () => {
  const pins = { app: first, other: first, init: second, none: first };
  const isExcluded = (image: string) => image.startsWith("shop/other") || image.startsWith("shop/init");
  expect(pinsWithout(pins, template, isExcluded)).toEqual({ app: first, none: first });
  expect(pinsWithout(pins, { spec: { containers: [] } }, isExcluded)).toEqual(pins);
});
