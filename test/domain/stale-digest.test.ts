import { expect, test } from "vitest";
import { staleDigest } from "../../functions/domain/stale-digest.ts";
import { digest, followed, restarting } from "../support/followed.ts";
import { workload } from "../support/workloads.ts";

const pod = (number: number, container = "app") => ({ container, digest: digest(number) });

test.for([
  { when: "all pods run what is new", seen: restarting(), running: [pod(2), pod(2)], stale: false },
  { when: "one still runs what was there before", seen: restarting(), running: [pod(2), pod(1)], stale: true },
  {
    when: "one still runs what was there two pushes ago",
    seen: restarting({ digests: { former: [{ app: digest(7) }, { app: digest(1) }] } }),
    running: [pod(2), pod(7)],
    stale: true,
  },
  { when: "one runs a manifest of an index", seen: restarting(), running: [pod(8)], stale: false },
  { when: "another container runs that", seen: restarting(), running: [pod(1, "side")], stale: false },
  { when: "nothing is said of the pods", seen: restarting(), running: [], stale: false },
  {
    when: "it is seen for the first time",
    seen: followed({ digests: { former: [] } }),
    running: [pod(1)],
    stale: false,
  },
  {
    when: "the tag went back to what the pods run",
    seen: restarting({ digests: { last: { app: digest(1) } } }),
    running: [pod(1)],
    stale: false,
  },
  { when: "it is followed by tag alone", seen: workload(), running: [pod(1)], stale: false },
])("$when: stale $stale", ({ seen, running, stale }) => {
  expect(staleDigest(seen, running) !== null).toBe(stale);
});

test("says which container, what it runs and what to look at", () => {
  expect(staleDigest(restarting(), [pod(1)])).toBe(
    `a new pod still runs ${digest(1)} in container app: is its imagePullPolicy Always?`,
  );
});
