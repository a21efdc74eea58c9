import { expect, test } from "vitest";
import { diffReleases } from "../../../cli/workloads/diff-releases.ts";
import { release, released, snapshot } from "../../domain/workload/release/releases.ts";

test("after a failed update, what runs is compared with the release before it", () => {
  const list = [release(1), release(2), release(3, { result: "Failed" })];
  const workload = released(list, "hash-2", { image: release(2).image });
  const diff = diffReleases(workload, [snapshot(3), snapshot(2), snapshot(1)], undefined, undefined);
  expect(diff.from.label).toMatch(/^release 1 /);
  expect(diff.text).not.toBe("");
});
