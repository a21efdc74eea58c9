import { describe, expect, test } from "vitest";
import { decideByDigest } from "../../../../functions/domain/workload/digest/decide-by-digest.ts";
import type { Digests } from "../../../../functions/domain/workload/digest/tracking.ts";
import {
  digest,
  digestWorkload,
  type DigestWorkloadParts,
  prod,
  restartTarget,
  observedDigests,
} from "../../../support/digest-workloads.ts";
import { after, noon } from "../../../support/workloads.ts";

const twoContainers = {
  containers: [
    { name: "app", image: prod },
    { name: "side", image: "side:3.0" },
  ],
};

const side = (number: number) => ({ kind: "digest", image: "side:3.0", digest: digest(number) });

function decide(parts: DigestWorkloadParts, digests: Digests, minutes = 0) {
  return decideByDigest(digestWorkload(parts), null, observedDigests(digests), after(minutes));
}

describe("a workload tracked by digest alone", () => {
  test("is restarted for a new digest", () => {
    const digests = { app: digest(2) };
    const manifests = { app: [digest(2)] };
    expect(decide({}, digests)).toEqual({ kind: "update", target: restartTarget, digests, manifests });
  });

  test("is not restarted if no container is tracked any more", () => {
    expect(decide({ digests: { containers: [] } }, {})).toMatchObject({ kind: "hold", reason: "same-digest" });
  });
});

describe("a hold", () => {
  const version = `prod@${digest(2)}`;
  test.for([
    { when: "it is the only change", digests: {}, now: { app: digest(2) } },
    {
      when: "another container changed too, and comes first",
      digests: { ...twoContainers, containers: twoContainers.containers.toReversed(), deployed: {} },
      now: { app: digest(2), side: digest(4) },
    },
  ])("does not apply a failed digest again: $when", ({ digests, now }) => {
    const held = decide({ digests, updateRecord: { failedVersions: [version] } }, now);
    expect(held).toMatchObject({ kind: "hold", reason: "newer-failed", detail: `${version} has failed before` });
  });

  test("updates another container next to one with a failed digest", () => {
    const deployed = { app: digest(2), side: digest(3) };
    const parts = { digests: { ...twoContainers, deployed }, updateRecord: { failedVersions: [version] } };
    expect(decide(parts, { ...deployed, side: digest(4) })).toMatchObject({
      kind: "update",
      target: side(4),
    });
  });
});

describe("the digests to record", () => {
  const movedBack = { digests: { deployed: { app: digest(2) }, previous: [{ app: digest(1) }] } };
  const reverted = { since: noon, digests: { app: digest(1) } };
  const known = { digests: { ...movedBack.digests, reverted } };
  test.for<{ when: string; parts: DigestWorkloadParts; now: number; minutes?: number; recorded: object | undefined }>([
    { when: "nothing has changed", parts: {}, now: 1, recorded: undefined },
    { when: "the tag moved back", parts: movedBack, now: 1, recorded: { reverted: { app: digest(1) } } },
    { when: "the tag is still moved back", parts: known, now: 1, minutes: 59, recorded: undefined },
    { when: "the tag moved forward again", parts: known, now: 2, minutes: 5, recorded: { reverted: null } },
    {
      when: "the pods run the observed digest",
      parts: { digests: { deployed: {}, initialDigestPolicy: "adopt" } },
      now: 1,
      recorded: { deployed: { app: digest(1) }, reverted: null },
    },
  ])("$when", ({ parts, now, minutes = 0, recorded }) => {
    const running = parts.digests?.initialDigestPolicy === "adopt" ? [] : null;
    const observed = { ...observedDigests({ app: digest(now) }), running };
    const decision = decideByDigest(digestWorkload(parts), null, observed, after(minutes));
    expect(decision.kind === "hold" ? decision.digests : "no hold").toEqual(recorded);
  });

  test("restarts for a previous digest after it is confirmed", () => {
    expect(decide(known, { app: digest(1) }, 59)).toMatchObject({ reason: "reverted-digest" });
    expect(decide(known, { app: digest(1) }, 60)).toMatchObject({
      kind: "update",
      digests: { app: digest(1) },
    });
  });
});
