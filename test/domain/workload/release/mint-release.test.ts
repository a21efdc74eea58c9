import { describe, expect, test } from "vitest";
import { observedRelease, recordRelease } from "../../../../functions/domain/workload/release/mint-release.ts";
import { chooseRelease } from "../../../../functions/domain/workload/release/choose-release.ts";
import { recordSuccess } from "../../../../functions/domain/workload/record/update-record.ts";
import type { ConfigTracking } from "../../../../functions/domain/workload/config/tracking.ts";
import type { DigestTracking } from "../../../../functions/domain/workload/digest/tracking.ts";
import { after, completeRollout, image, inFlight, workload } from "../../../support/workloads.ts";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import type { Release } from "../../../../functions/domain/workload/release/release.ts";
import { claim, release, released } from "./releases.ts";

const tracking: DigestTracking = {
  containers: [{ name: "app", image }],
  deployed: { app: "sha256:b" },
  previous: [],
  reverted: null,
  initialDigestPolicy: "restart",
  isBlockedByFinalizer: false,
};
const complete = { ...completeRollout, image };

test.for([
  { when: "nothing is recorded", found: released([], "hash-1"), hash: "hash-1" },
  { when: "a person changed the template", found: released([release(1)], "hash-2"), hash: "hash-2" },
  { when: "the last one failed", found: released([release(1, { result: "Failed" })], "hash-1"), hash: "hash-1" },
])("a poll records the release of a person: $when", ({ found, hash }) => {
  expect(observedRelease(found, after(1))).toMatchObject({ hash, by: "hand", result: "Succeeded", version: "1.0.0" });
});

test.for([
  { when: "releases are not recorded", found: workload({ rollout: complete }) },
  { when: "the template is recorded", found: released([release(1)], "hash-1") },
  { when: "an update is in flight", found: released([], "hash-1", { inFlight }) },
  { when: "a canary is left", found: released([], "hash-1", { isCanaryLeft: true }) },
  { when: "it is not enabled", found: released([], "hash-1", { policy: { optIn: "no" } }) },
  { when: "its pods do not exist", found: released([], "hash-1", { rollout: null }) },
  { when: "it is not ready", found: released([], "hash-1", { rollout: { ...complete, readyReplicas: 2 } }) },
  {
    when: "it is scaled to 0",
    found: released([], "hash-1", {
      rollout: { ...complete, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0 },
    }),
  },
  { when: "it has no image", found: released([], "hash-1", { image: null }) },
])("a poll records nothing: $when", ({ found }) => {
  expect(observedRelease(found, after(1))).toBeNull();
});

test("a pin counts as the digest that runs", () => {
  const pinned = { ...tracking, pinned: { app: "sha256:a" } };
  expect(observedRelease(released([], "hash-1", { digests: pinned }), after(1))?.digests).toEqual({ app: "sha256:a" });
});

test.for([
  { when: "a new template", from: undefined, hash: "hash-2", recorded: [{ hash: "hash-2", by: "pawl" }] },
  { when: "a rollback", from: 4, hash: "hash-1", recorded: [{ hash: "hash-1", by: "pawl", rolledBackFrom: 4 }] },
  { when: "a rollback from no release", from: null, hash: "hash-1", recorded: [{ hash: "hash-1", by: "pawl" }] },
  { when: "the same template", from: undefined, hash: "hash-1", recorded: [] },
])("an update that succeeded: $when", ({ from, hash, recorded }) => {
  const claimed = from === undefined ? inFlight : { ...claim, release: { ...claim.release, from } };
  const { release: found } = recordRelease(released([release(1)], hash), "Succeeded", after(1), claimed);
  expect(found === undefined ? [] : [found]).toMatchObject(recorded);
});

test("the first update is recorded, although nothing was before it", () => {
  const { release: found } = recordRelease(released([], "hash-1"), "Succeeded", after(1), inFlight);
  expect(found).toMatchObject({ hash: "hash-1", by: "pawl", result: "Succeeded" });
});

test("without releases an update records none", () => {
  expect(recordRelease(workload(), "Succeeded", after(1), inFlight)).toEqual({});
});

describe("the configuration", () => {
  const digests = { "configmap/web": "config:a" };
  const config: ConfigTracking = { references: [], salt: "5a17", deployed: digests, versions: {} };
  const changed = { ...config, deployed: { "configmap/web": "config:b" } };

  const restart: InFlight = { ...inFlight, phase: "restart", target: { kind: "config", image, digest: "config:b" } };

  test.for([
    { when: "it changed", recorded: digests, now: changed, observed: { by: "hand" }, isNew: [true, true] },
    { when: "it is the same", recorded: digests, now: config, observed: null, isNew: [false, false] },
    { when: "it was not known", recorded: undefined, now: config, observed: { completes: 1 }, isNew: [false, true] },
    { when: "it is tracked no more", recorded: digests, now: undefined, observed: null, isNew: [false, true] },
  ])("is part of a release: $when", ({ recorded, now, observed, isNew }) => {
    const list = [release(1, recorded === undefined ? {} : { digests: recorded })];
    const found = released(list, "hash-1", now === undefined ? {} : { config: now });
    expect([observedRelease(found, after(1))]).toMatchObject([observed]);
    const recordedBy = (update: InFlight) => recordRelease(found, "Succeeded", after(1), update).release;
    expect([inFlight, restart].map((update) => recordedBy(update) !== undefined)).toEqual(isNew);
  });

  test("of a restart for it is that of its release", () => {
    const begun = {
      ...inFlight,
      target: { kind: "config", image, digest: `config:${"b".repeat(32)}` },
      phase: "restart",
      digests: changed.deployed,
    } as const;
    const found = released([release(1, { digests })], "hash-1", { config, inFlight: begun });
    expect(recordSuccess(found, begun, after(1)).release?.digests).toEqual(changed.deployed);
  });

  test("alone is no reason to roll back: a rollback does not restore it, nor changes the image instead", () => {
    const [older, newer] = [release(2, { digests }), release(3, { hash: "hash-2", digests: changed.deployed })];
    const reason = "release 2 differs only in its configuration, whose content is not restored";
    const found = released([release(1), older, newer], "hash-2", { config: changed });
    expect(chooseRelease(found, "2")).toEqual({ kind: "refused", reason });
    const hint = "; release 1 (1.1.0) differs in more: --to 1";
    expect(chooseRelease(found, null)).toEqual({ kind: "refused", reason: `${reason}${hint}` });
    expect(chooseRelease(found, "1").kind).toBe("chosen");
    const alone = released([older, newer], "hash-2", { config: changed });
    expect(chooseRelease(alone, null)).toEqual({ kind: "refused", reason });
  });
});

describe("a workload that is tracked by digest", () => {
  const moved = { ...tracking, deployed: { app: "sha256:c" } };
  const restart: InFlight = { ...inFlight, phase: "restart", target: { kind: "digest", image, digest: "sha256:c" } };
  const [first, second] = [release(1, { digests: tracking.deployed }), release(2, { digests: tracking.deployed })];
  const third = release(3, { hash: "hash-2", digests: moved.deployed });

  test("has the digests of its newest release as soon as they are known", () => {
    const found = released([release(1)], "hash-1", { digests: tracking });
    expect(observedRelease(found, after(1))).toMatchObject({ completes: 1, digests: tracking.deployed });
  });

  test("has another release after a restart, also if the digest before it is not known", () => {
    for (const before of [release(1), first]) {
      const found = released([before], "hash-1", { digests: moved });
      expect(recordRelease(found, "Succeeded", after(1), restart).release?.digests).toEqual(moved.deployed);
    }
    const same = released([release(1, { digests: moved.deployed })], "hash-1", { digests: moved });
    expect(recordRelease(same, "Succeeded", after(1), restart)).toEqual({});
  });

  test("is rolled back to the digest before, but not to one that is not known", () => {
    const choose = (list: readonly Release[]) => chooseRelease(released(list, "hash-2", { digests: moved }), null);
    expect(choose([first, second, third])).toMatchObject({ release: { number: 2 } });
    expect(choose([first, release(2), third])).toEqual({
      kind: "refused",
      reason:
        "release 2 has the pod template that runs, and not all of its digests are known; release 1 (1.1.0) differs in more: --to 1",
    });
  });
});
