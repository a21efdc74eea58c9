import { describe, expect, test } from "vitest";
import {
  describeAction,
  describeAnyTarget,
  describeTarget,
  nameTarget,
} from "../../../../functions/domain/workload/target/describe-target.ts";
import {
  imageOfTarget,
  isRestart,
  isSameTarget,
  keepsImages,
  type Target,
  targetKey,
  versionOfTarget,
} from "../../../../functions/domain/workload/target/target.ts";

const image = "shop/web:1.2.0";
const digest = `sha256:${"a".repeat(64)}`;
const config = `config:${"b".repeat(32)}`;

interface Case {
  readonly target: Target;
  readonly key: string;
  readonly version: string;
  readonly shown: string;
  readonly recreatesPods: boolean;
  readonly keeps: boolean;
}

const cases: readonly Case[] = [
  {
    target: { kind: "image", image },
    key: image,
    version: "1.2.0",
    shown: image,
    recreatesPods: false,
    keeps: false,
  },
  {
    target: { kind: "digest", image, digest },
    key: `${image}@${digest}`,
    version: `1.2.0@${digest}`,
    shown: `${image}@${digest}`,
    recreatesPods: true,
    keeps: false,
  },
  {
    target: { kind: "config", image, digest: config },
    key: `${image}@${config}`,
    version: `1.2.0@${config}`,
    shown: image,
    recreatesPods: true,
    keeps: true,
  },
  {
    target: { kind: "restart", image, request: "742d31" },
    key: `${image}@restart:742d31`,
    version: "1.2.0",
    shown: image,
    recreatesPods: true,
    keeps: true,
  },
  {
    target: { kind: "release", image, number: 3 },
    key: image,
    version: "1.2.0",
    shown: image,
    recreatesPods: false,
    keeps: false,
  },
];

test.for(cases)("a target of kind $target.kind has a key, a version and an image", (one) => {
  const { target, key, version, shown, recreatesPods, keeps } = one;
  expect([targetKey(target), versionOfTarget(target), imageOfTarget(target)]).toEqual([key, version, shown]);
  expect([isRestart(target), keepsImages(target)]).toEqual([recreatesPods, keeps]);
});

describe("two targets are the same", () => {
  test.for(cases)("if nothing of a $target.kind differs, however its image is spelled", ({ target }) => {
    expect(isSameTarget(target, { ...target, image: `docker.io/${image}` })).toBe(true);
    expect(isSameTarget(target, { ...target, image: "shop/web:1.2.1" })).toBe(false);
  });

  test.for<{ readonly of: string; readonly one: Target; readonly other: Target }>([
    { of: "digests", one: { kind: "digest", image, digest }, other: { kind: "digest", image, digest: config } },
    { of: "configurations", one: { kind: "config", image, digest }, other: { kind: "config", image, digest: config } },
    {
      of: "requests",
      one: { kind: "restart", image, request: "1" },
      other: { kind: "restart", image, request: "2" },
    },
    { of: "releases", one: { kind: "release", image, number: 1 }, other: { kind: "release", image, number: 2 } },
    { of: "kinds", one: { kind: "digest", image, digest }, other: { kind: "config", image, digest } },
  ])("unless they are of two $of", ({ one, other }) => {
    expect(isSameTarget(one, other)).toBe(false);
  });
});

test.for<readonly [Target, string, string, string, string]>([
  [{ kind: "image", image }, `an update to ${image}`, "1.2.0", `Updating to ${image}`, `Updated to ${image}`],
  [
    { kind: "digest", image, digest },
    `a restart for ${image}@${digest}`,
    `1.2.0@${digest}`,
    `Restarting for the new digest: ${image}@${digest}`,
    `Restarted for the new digest: ${image}@${digest}`,
  ],
  [
    { kind: "config", image, digest: config },
    `a restart of ${image} for its configuration`,
    `the restart of ${image} for its configuration`,
    `Restarting ${image} for changed configuration`,
    `Restarted ${image} for changed configuration`,
  ],
  [
    { kind: "restart", image, request: "742d31" },
    `a restart of ${image}`,
    `the restart of ${image}`,
    `Restarting ${image}, as requested`,
    `Restarted ${image}, as requested`,
  ],
  [
    { kind: "release", image, number: 3 },
    `a rollback to release 3 of ${image}`,
    "1.2.0",
    `Rolling back to release 3 of ${image}`,
    `Rolled back to release 3 of ${image}`,
  ],
])("is described for people: %j", ([target, noun, name, present, past]) => {
  expect(describeAnyTarget(target)).toBe(noun);
  expect(describeTarget(target)).toBe(noun.replace(/^an? /, ""));
  expect(nameTarget(target)).toBe(name);
  expect([describeAction(target, "present"), describeAction(target, "past")]).toEqual([present, past]);
});
