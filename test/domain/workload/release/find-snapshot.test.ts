import { describe, expect, test } from "vitest";
import { findSnapshot } from "../../../../functions/domain/workload/release/find-snapshot.ts";
import { digestWorkload, prod } from "../../../support/digest-workloads.ts";
import { release, released, snapshot } from "./releases.ts";

const workload = released([release(1), release(2)], "hash-2");
const recorded = { revision: "app-1", hash: "hash-1" };

test.for([
  { when: "its revision has it", snapshots: [snapshot(2), snapshot(1)], revision: "app-1" },
  {
    when: "its revision was created again by another name",
    snapshots: [snapshot(1, { revision: "app-9" })],
    revision: "app-9",
  },
  {
    when: "its revision's name is another's now",
    snapshots: [snapshot(2, { revision: "app-1" }), snapshot(1, { revision: "app-9" })],
    revision: "app-9",
  },
])("a template is found if $when", ({ snapshots, revision }) => {
  expect(findSnapshot(workload, snapshots, recorded)).toMatchObject({ kind: "found", snapshot: { revision } });
});

test.for([
  { when: "its revision was deleted", snapshots: [snapshot(2)], reason: "has no snapshot any more: app-1 was deleted" },
  {
    when: "another hash is recorded",
    snapshots: [snapshot(1, { hash: "hash-7" })],
    reason: "has no snapshot: app-1 has another pod template than was recorded",
  },
  {
    when: "another revision is recorded",
    snapshots: [snapshot(2, { revision: "app-1", hash: "hash-2" })],
    reason: "has no snapshot: app-1 has another pod template",
  },
  {
    when: "the copy of it has another content",
    snapshots: [snapshot(2, { revision: "pawl-u-1-hash-1" })],
    reason: "has no snapshot: pawl-u-1-hash-1 has another pod template than was recorded",
  },
  {
    when: "it is of another repository",
    snapshots: [snapshot(1, { image: "evil.example/miner:1" })],
    reason: "is not restored: its image evil.example/miner:1 is of another repository than registry.example/shop/app:",
  },
  {
    when: "it has no such container",
    snapshots: [snapshot(1, { image: null })],
    reason: "is not restored: its image none is of another repository",
  },
])("a template is missing if $when", ({ snapshots, reason }) => {
  expect(findSnapshot(workload, snapshots, recorded)).toEqual({
    kind: "missing",
    reason: expect.stringContaining(reason),
  });
});

test("a template is missing if the workload runs no image that is known", () => {
  const { kind } = findSnapshot({ ...workload, image: null }, [snapshot(1)], recorded);
  expect(kind).toBe("missing");
});

describe("a container that is tracked by digest", () => {
  const tracked = digestWorkload();
  const find = (containers: object[], initContainers?: object[]) => {
    const template = { spec: { containers, ...(initContainers && { initContainers }) } } as never;
    return findSnapshot(tracked, [snapshot(1, { image: prod, template })], recorded);
  };

  test("keeps its repository, and others may have any", () => {
    const side = { name: "side", image: "registry.example/other:2" };
    expect(find([{ name: "app", image: prod }, side], [side]).kind).toBe("found");
    expect(find([{ name: "app", image: "registry.example/shop/app:old" }, { name: "none" }]).kind).toBe("found");
  });

  test.for([{ image: "evil.example/miner:1" }, { image: "registry.example/shop/other:prod" }])(
    "is not restored with $image",
    ({ image }) => {
      expect(find([{ name: "app", image }]).kind).toBe("missing");
      expect(find([{ name: "side", image }], [{ name: "app", image }]).kind).toBe("missing");
    },
  );
});
