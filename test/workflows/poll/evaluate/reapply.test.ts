import { expect, test } from "vitest";
import type { Candidate } from "../../../../functions/domain/gates/candidate.ts";
import { formatRfc3339 } from "../../../../functions/domain/text/rfc3339.ts";
import type { PushTimes } from "../../../../functions/ports/registry.ts";
import { createEvaluator } from "../../../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { after, type WorkloadParts } from "../../../support/workloads.ts";
import { idleWorkload } from "../fixtures.ts";

const day = 24 * 60;
const image = "registry.example/shop/web:1.0.0";
const digest = `sha256:${"a".repeat(64)}`;
const since = formatRfc3339(after(-4 * day));
const seen: Candidate = { version: "1.1.0", digest, since };

/** 1.1.0 was healthy, and its owner has set back 1.0.0. */
const parts: WorkloadParts = {
  policy: { minimumReleaseAgeSeconds: 3 * 86_400, onRevert: "reapply" },
  updateRecord: { currentVersion: "1.1.0", reverts: { version: "1.1.0", replaced: [image], reapplied: [] } },
};

interface Situation {
  readonly when: string;
  readonly candidates?: readonly Candidate[];
  readonly pushed?: PushTimes;
  readonly tags?: readonly string[];
  readonly expected: object;
}

test.for<Situation>([
  { when: "is applied if it is old enough", candidates: [seen], expected: { kind: "update", target: { digest } } },
  {
    when: "is applied if the registry received it long ago",
    pushed: new Map([["1.1.0", { digest, at: since }]]),
    expected: { kind: "update", target: { digest } },
  },
  { when: "waits if it is seen first", expected: { kind: "hold", reason: "too-young" } },
  {
    when: "waits if its tag has moved since",
    candidates: [{ ...seen, digest: `sha256:${"b".repeat(64)}` }],
    expected: { kind: "hold", reason: "too-young" },
  },
  {
    when: "gives way to a newer one, which waits",
    candidates: [seen],
    tags: ["1.0.0", "1.1.0", "1.2.0"],
    expected: { kind: "hold", reason: "too-young", target: { image: "registry.example/shop/web:1.2.0" } },
  },
])("with a minimum age, a version to apply again $when", async (situation) => {
  const { candidates = [], pushed, tags = ["1.0.0", "1.1.0"], expected } = situation;
  const ports = fakePorts({ tags: { "shop/web": tags }, digests: () => [digest] });
  const registry = pushed === undefined ? ports.registry : { ...ports.registry, pushTimes: async () => pushed };
  const decide = createEvaluator({ ...ports, registry });
  expect(await decide({ ...idleWorkload("web", image, parts), candidates })).toMatchObject(expected);
});
