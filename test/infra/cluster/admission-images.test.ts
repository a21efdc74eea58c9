import { describe, expect, test } from "vitest";
import { refusals } from "./admission.ts";
import { allowedToUpdaters, annotatePods, type Edit, refusedToAll, restartedAt, restarts } from "./admission-edits.ts";
import { setsTheImage } from "./admission-edits.ts";
import { changed, deployment, type Sample } from "./admission-samples.ts";

const kinds = ["deployments.apps", "statefulsets.apps", "daemonsets.apps"] as const;
const spec = "only pawl:updaters may change a spec";

describe.for(kinds)("the spec of %s", (resource) => {
  const by = (group: string, edit: Edit) =>
    refusals({
      operation: "UPDATE",
      resource,
      groups: [group],
      oldObject: deployment,
      object: changed(deployment, edit),
    });

  test.for(allowedToUpdaters)("an updater may change $what", ({ edit }) => {
    expect(by("pawl:updaters", edit)).toEqual([]);
  });

  test.for(refusedToAll)("nobody of Pawl's may change $what", ({ edit, because }) => {
    expect(by("pawl:updaters", edit)).toEqual([expect.stringContaining(because)]);
    expect(by("pawl:recorders", edit)).toContain(spec);
    expect(by("shop:owners", edit)).toEqual([]);
  });

  test.for([
    { what: "an image", edit: setsTheImage },
    { what: "the time of a restart", edit: restarts },
  ])("a recorder may not change $what", ({ edit }) => {
    expect(by("pawl:recorders", edit)).toEqual([spec]);
    expect(by("pawl:pollers", edit)).toEqual([spec]);
  });
});

test("a restart is repeated, and is not forgotten where there were no annotations before", () => {
  const bare = changed(deployment, ({ spec: own }) => void delete own.template.metadata.annotations);
  const first = changed(bare, restarts);
  const again = changed(first, (it) => annotatePods(it, restartedAt, "later"));
  const ask = (oldObject: Sample, object: Sample) =>
    refusals({ operation: "UPDATE", resource: "daemonsets.apps", groups: ["pawl:updaters"], oldObject, object });
  expect([ask(bare, first), ask(first, again), ask(again, bare)]).toEqual([[], [], []]);
});
