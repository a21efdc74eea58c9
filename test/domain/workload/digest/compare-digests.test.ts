import {
  compareDigests,
  currentDigests,
  type ObservedDigests,
  staleDigestReason,
} from "../../../../functions/domain/workload/digest/compare-digests.ts";
import type { Digests, DigestTracking } from "../../../../functions/domain/workload/digest/tracking.ts";
import {
  digest,
  observedDigests,
  tracking,
  digestWorkload,
  restartingWorkload,
} from "../../../support/digest-workloads.ts";
import { after, noon, workload } from "../../../support/workloads.ts";
import { describe, expect, test } from "vitest";

function compareWith(parts: Partial<DigestTracking>, observed: ObservedDigests, minutes = 0) {
  return compareDigests({ ...tracking, ...parts }, observed, after(minutes));
}

function compare(parts: Partial<DigestTracking>, now: Digests, minutes = 0) {
  return compareWith(parts, observedDigests(now), minutes);
}

describe("compareDigests of a deployed workload", () => {
  const deployed = { app: digest(1), side: digest(5) };
  test.for([
    { when: "nothing has changed", now: deployed, expected: { kind: "same" } },
    {
      when: "one digest differs",
      now: { ...deployed, side: digest(6) },
      expected: { kind: "changed", changed: ["side"] },
    },
    {
      when: "a container is new",
      now: { ...deployed, log: digest(7) },
      expected: { kind: "changed", changed: ["log"] },
    },
    {
      when: "a container is no longer tracked",
      now: { side: digest(5) },
      expected: { kind: "changed", changed: ["side"] },
    },
    { when: "none is tracked any more", now: {}, expected: { kind: "same" } },
  ])("$when: $expected.kind", ({ now, expected }) => {
    expect(compare({ deployed }, now)).toEqual(expected);
  });

  test.for([
    { when: "a manifest of the index", app: 8, kind: "adopted" },
    { when: "one that the index does not list", app: 7, kind: "changed" },
  ])("$when is deployed: $kind", ({ app, kind }) => {
    const index = { tagDigests: { app: [digest(2), digest(8)] }, running: null };
    expect(compareWith({ deployed: { app: digest(app) } }, index).kind).toBe(kind);
  });

  test("ignores a container for which the registry returned no digest", () => {
    expect(currentDigests({ tagDigests: { app: [], side: [digest(1)] }, running: null })).toEqual({ side: digest(1) });
  });
});

describe("compareDigests without recorded digests", () => {
  const index = { tagDigests: { app: [digest(1), digest(8), digest(9)] }, running: null };
  const pods = (...digests: readonly number[]) => digests.map((one) => ({ container: "app", digest: digest(one) }));

  test("restarts, as kubernetes-image-updater does", () => {
    expect(compareWith({ deployed: {} }, index)).toEqual({ kind: "changed", changed: ["app"] });
  });

  test.for([
    { when: "every pod runs the digest of the tag", running: pods(1, 1), kind: "adopted" },
    { when: "pods run manifests of the index", running: pods(8, 9, 1), kind: "adopted" },
    { when: "there is no pod", running: [], kind: "adopted" },
    { when: "other containers run other digests", running: [{ container: "x", digest: digest(7) }], kind: "adopted" },
    { when: "one pod runs another digest", running: pods(1, 7), kind: "changed" },
    { when: "the pods were not queried", running: null, kind: "changed" },
  ])("adopts if $when: $kind", ({ running, kind }) => {
    expect(compareWith({ deployed: {}, initialDigestPolicy: "adopt" }, { ...index, running }).kind).toBe(kind);
  });

  test.for([
    {
      when: "a container is new and runs the digest of its tag",
      now: { app: digest(1), log: digest(3) },
      kind: "adopted",
    },
    { when: "a container is no longer tracked", now: { log: digest(3) }, kind: "adopted" },
    { when: "another has changed as well", now: { app: digest(2), log: digest(3) }, kind: "changed" },
  ])("adopts with recorded digests if $when: $kind", ({ now, kind }) => {
    const deployed = now.app === undefined ? { app: digest(1), log: digest(3) } : { app: digest(1) };
    const observed = { ...observedDigests(now), running: [{ container: "log", digest: digest(3) }] };
    const comparison = compareWith({ deployed, initialDigestPolicy: "adopt" }, observed);
    expect(comparison).toEqual(kind === "changed" ? { kind, changed: ["app"] } : { kind });
  });
});

describe("a tag that moved back to a previous digest", () => {
  const previous = [{ app: digest(8) }, { app: digest(9), side: digest(5) }];
  const deployed = { app: digest(1), side: digest(6) };
  const back = { app: digest(9), side: digest(6) };
  const revertedSince = (since: Date, digests: Digests = { app: digest(9) }) => ({ since, digests });

  test.for([
    { when: "observed the first time", reverted: null, minutes: 0, kind: "reverted" },
    { when: "observed for 59 minutes", reverted: revertedSince(noon), minutes: 59, kind: "reverted" },
    { when: "observed for an hour", reverted: revertedSince(noon), minutes: 60, kind: "changed" },
    {
      when: "another digest was observed for an hour",
      reverted: revertedSince(noon, { app: digest(8) }),
      minutes: 60,
      kind: "reverted",
    },
    {
      when: "more digests were observed for an hour",
      reverted: revertedSince(noon, { app: digest(9), side: digest(5) }),
      minutes: 60,
      kind: "reverted",
    },
  ])("is applied after an hour: $when: $kind", ({ reverted, minutes, kind }) => {
    expect(compare({ deployed, previous, reverted }, back, minutes).kind).toBe(kind);
  });

  test("names the containers that moved back", () => {
    expect(compare({ deployed, previous }, back)).toEqual({ kind: "reverted", digests: { app: digest(9) } });
  });

  test("is applied immediately together with a new digest of another container", () => {
    const comparison = compare({ deployed, previous }, { ...back, side: digest(7) });
    expect(comparison).toEqual({ kind: "changed", changed: ["app", "side"] });
  });

  test("is not a previous digest if another container ran it", () => {
    expect(compare({ deployed, previous }, { ...deployed, side: digest(9) })).toEqual({
      kind: "changed",
      changed: ["side"],
    });
  });
});

const pod = (number: number, container = "app") => ({ container, digest: digest(number) });

test.for([
  { when: "all pods run the new digest", initial: restartingWorkload(), running: [pod(2), pod(2)], stale: false },
  { when: "one still runs the previous digest", initial: restartingWorkload(), running: [pod(2), pod(1)], stale: true },
  {
    when: "one still runs the digest of two pushes ago",
    initial: restartingWorkload({ digests: { previous: [{ app: digest(7) }, { app: digest(1) }] } }),
    running: [pod(2), pod(7)],
    stale: true,
  },
  { when: "one runs a manifest of an index", initial: restartingWorkload(), running: [pod(8)], stale: false },
  {
    when: "one still runs what ran before, which is no manifest of the new index",
    initial: restartingWorkload({ digests: { ran: { app: digest(8) }, manifests: { app: [digest(2), digest(9)] } } }),
    running: [pod(9), pod(8)],
    stale: true,
  },
  {
    when: "the new index has the same manifest for its platform",
    initial: restartingWorkload({ digests: { ran: { app: digest(8) }, manifests: { app: [digest(2), digest(8)] } } }),
    running: [pod(8)],
    stale: false,
  },
  {
    when: "another container runs the previous digest",
    initial: restartingWorkload(),
    running: [pod(1, "side")],
    stale: false,
  },
  { when: "no pod reported a digest", initial: restartingWorkload(), running: [], stale: false },
  {
    when: "no digest is recorded",
    initial: digestWorkload({ digests: { previous: [] } }),
    running: [pod(1)],
    stale: false,
  },
  {
    when: "the tag moved back to the digest that the pods run",
    initial: restartingWorkload({ digests: { deployed: { app: digest(1) } } }),
    running: [pod(1)],
    stale: false,
  },
  { when: "it is tracked by tag alone", initial: workload(), running: [pod(1)], stale: false },
])("staleDigestReason when $when: $stale", ({ initial, running, stale }) => {
  expect(staleDigestReason(initial, running) !== null).toBe(stale);
});

test("staleDigestReason names the container, the digest and the fix", () => {
  expect(staleDigestReason(restartingWorkload(), [pod(1)])).toBe(
    `a new pod still runs ${digest(1)} in container app; set its imagePullPolicy to Always`,
  );
});
