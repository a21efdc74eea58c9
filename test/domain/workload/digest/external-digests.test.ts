import { expect, test } from "vitest";
import { compareDigests } from "../../../../functions/domain/workload/digest/compare-digests.ts";
import { digest, observedDigests, tracking } from "../../../support/digest-workloads.ts";
import { noon } from "../../../support/workloads.ts";

const none = {};
const one = { app: digest(1) };
const two = { app: digest(2) };
const both = { app: digest(2), side: digest(3) };

/** `deployed` is what Pawl recorded, `external` what `last-digest` says, `now` what the tags resolve to. */
test.for([
  { when: "its user switches to Pawl", deployed: none, external: one, now: one, kind: "adopted" },
  { when: "its user switches to Pawl after a push", deployed: none, external: one, now: two, kind: "changed" },
  { when: "its user switches back to Pawl", deployed: one, external: two, now: two, kind: "adopted" },
  {
    when: "its user switches back after a further push",
    deployed: one,
    external: two,
    now: { app: digest(3) },
    kind: "changed",
  },
  { when: "an undo restores an old value", deployed: two, external: one, now: two, kind: "same" },
  { when: "an undo removes it", deployed: two, external: none, now: two, kind: "same" },
  {
    when: "one container is known to each",
    deployed: { app: digest(1), side: digest(3) },
    external: two,
    now: both,
    kind: "adopted",
  },
  { when: "neither knows a container", deployed: one, external: two, now: both, kind: "changed" },
])("if $when: $kind", ({ deployed, external, now, kind }) => {
  const names = Object.keys(now).map((name) => ({ name, image: `registry.example/shop/${name}:prod` }));
  const known = { ...tracking, containers: names, deployed, external };
  expect(compareDigests(known, observedDigests(now), noon).kind).toBe(kind);
});
