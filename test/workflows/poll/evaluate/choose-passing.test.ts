import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Candidate } from "../../../../functions/domain/gates/candidate.ts";
import { formatRfc3339 } from "../../../../functions/domain/text/rfc3339.ts";
import type { Decision } from "../../../../functions/domain/workload/decision/decision.ts";
import type { DigestTracking } from "../../../../functions/domain/workload/digest/tracking.ts";
import type { PushTimes } from "../../../../functions/ports/registry.ts";
import { RepositoryNotFound } from "../../../../functions/ports/errors.ts";
import { createEvaluator } from "../../../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { after, type WorkloadParts } from "../../../support/workloads.ts";
import { idleWorkload } from "../fixtures.ts";

const day = 24 * 60;
const policy = { minimumReleaseAgeSeconds: 3 * 86_400 };
const digestOf = (name: string) => `sha256:${Buffer.from(name).toString("hex").padEnd(64, "0").slice(-64)}`;
const since = (minutes: number) => formatRfc3339(after(minutes));
const candidate = (version: string, minutes: number, parts: Partial<Candidate> = {}): Candidate => ({
  version,
  digest: digestOf(`registry.example/shop/web:${version}`),
  since: since(minutes),
  ...parts,
});

interface Situation {
  readonly tags?: readonly string[];
  readonly candidates?: readonly Candidate[];
  /** In minutes before noon, by tag. */
  readonly pushed?: Readonly<Record<string, number>>;
  readonly digests?: (image: string) => readonly string[] | Error;
  readonly parts?: WorkloadParts;
}

async function decide({
  tags = ["1.0.0", "1.1.0", "1.2.0", "1.3.0"],
  candidates = [],
  pushed,
  digests = (name) => [digestOf(name)],
  parts = {},
}: Situation) {
  const asked: string[] = [];
  const ports = fakePorts({
    tags: { "shop/web": tags },
    digests: (name) => (asked.push(name.split(":").at(-1) ?? ""), digests(name)),
  });
  const pushTimes = async (): Promise<PushTimes> =>
    new Map(
      Object.entries(pushed ?? {}).map(([tag, minutes]) => [
        tag,
        { digest: digestOf(`registry.example/shop/web:${tag}`), at: since(-minutes) },
      ]),
    );
  const registry = pushed === undefined ? ports.registry : { ...ports.registry, pushTimes };
  const web = { ...idleWorkload("web", "registry.example/shop/web:1.0.0", { policy, ...parts }), candidates };
  const decision = await createEvaluator({ ...ports, registry })(web);
  return { decision, asked: [...new Set(asked)] };
}

function chosen(decision: Decision) {
  return decision.kind === "update"
    ? decision.target.image.split(":").at(-1)
    : decision.kind === "hold"
      ? decision.reason
      : decision.kind;
}

function pinnedDigest(decision: Decision): string | undefined {
  const isPinned = decision.kind === "update" && decision.target.kind === "image" && decision.target.pinned;
  return isPinned ? decision.target.digest : undefined;
}

describe("the newest version that is old enough is chosen", () => {
  test.for<Situation & { when: string; version: string; recorded: readonly Candidate[] }>([
    { when: "all are seen first", version: "too-young", recorded: [candidate("1.3.0", 0)] },
    {
      when: "an older one has waited for long",
      candidates: [candidate("1.1.0", -4 * day), candidate("1.2.0", -3 * day), candidate("1.3.0", -1)],
      version: "1.2.0",
      recorded: [candidate("1.1.0", -4 * day), candidate("1.3.0", -1), candidate("1.2.0", -3 * day)],
    },
    {
      when: "the tag of the one that waited has moved",
      candidates: [candidate("1.2.0", -3 * day, { digest: "sha256:before" })],
      version: "too-young",
      recorded: [candidate("1.3.0", 0), candidate("1.2.0", 0, { moves: 1 })],
    },
    {
      when: "the registry says when it received each",
      pushed: { "1.1.0": 9 * day, "1.2.0": 4 * day, "1.3.0": day },
      version: "1.2.0",
      recorded: [candidate("1.3.0", -day), candidate("1.2.0", -4 * day)],
    },
    {
      when: "the registry says it is old, at the first opt-in",
      pushed: { "1.3.0": 30 * day },
      version: "1.3.0",
      recorded: [candidate("1.3.0", -30 * day)],
    },
    {
      when: "the newest is not published",
      candidates: [candidate("1.2.0", -3 * day)],
      digests: (name) => (name.includes("1.3.0") ? new RepositoryNotFound("gone") : [digestOf(name)]),
      version: "1.2.0",
      recorded: [candidate("1.2.0", -3 * day)],
    },
    {
      when: "no age is required",
      parts: { policy: {} },
      candidates: [],
      version: "1.3.0",
      recorded: [],
    },
  ])("if $when: $version", async ({ version, recorded, ...situation }) => {
    const { decision } = await decide(situation);
    expect(chosen(decision)).toBe(version);
    expect("candidates" in decision ? (decision.candidates ?? []) : []).toEqual(recorded);
    expect(pinnedDigest(decision)).toBe(
      recorded.length > 0 && version !== "too-young" ? digestOf(`registry.example/shop/web:${version}`) : undefined,
    );
  });

  test("without asking for those that are too young, but for the newest", async () => {
    const { asked } = await decide({ candidates: [candidate("1.2.0", -1), candidate("1.1.0", -1)] });
    expect(asked).toEqual(["1.3.0"]);
  });

  test("and its manifest is read: a tag that moves meanwhile is not applied", async () => {
    let asked = 0;
    const digests = () => [`sha256:${String((asked += 1)).padEnd(64, "0")}`];
    await expect(
      decide({
        candidates: [candidate("1.3.0", -4 * day, { digest: `sha256:${"1".padEnd(64, "0")}` })],
        tags: ["1.3.0"],
        digests,
      }),
    ).rejects.toThrow("moved while it was evaluated");
  });

  test("whatever has waited, and for how long", async () => {
    const times = fc.array(fc.option(fc.integer({ min: 0, max: 6 }), { nil: null }), { minLength: 1, maxLength: 6 });
    const property = fc.asyncProperty(times, fc.boolean(), async (days, isInRegistry) => {
      const waited = days.map((age, index) => ({ version: `1.${index + 1}.0`, age }));
      const known = waited.filter(({ age }) => age !== null) as { version: string; age: number }[];
      const { decision } = await decide({
        tags: ["1.0.0", ...waited.map(({ version }) => version)],
        ...(isInRegistry
          ? { pushed: Object.fromEntries(known.map(({ version, age }) => [version, age * day])) }
          : { candidates: known.map(({ version, age }) => candidate(version, -age * day)) }),
      });
      const newest = known.toReversed().find(({ age }) => age >= 3);
      expect(chosen(decision)).toBe(newest?.version ?? "too-young");
    });
    await fc.assert(property, { numRuns: 50 });
  });
});

describe("a digest of a tag that moved", () => {
  const image = "registry.example/shop/web:stable";
  const before = digestOf("before");
  const tracking: DigestTracking = {
    containers: [{ name: "web", image }],
    deployed: { web: before },
    previous: [],
    reverted: null,
    initialDigestPolicy: "adopt",
    isBlockedByFinalizer: false,
  };
  const parts = { policy, source: null, image };
  const now = digestOf(image);

  test.for([
    {
      when: "is new",
      candidates: [],
      reason: "too-young",
      recorded: [{ version: image, digest: now, since: since(0) }],
    },
    {
      when: "is old enough",
      candidates: [{ version: image, digest: now, since: since(-3 * day) }],
      reason: "stable",
      recorded: [{ version: image, digest: now, since: since(-3 * day) }],
    },
    {
      when: "moves again",
      candidates: [{ version: image, digest: before, since: since(-3 * day), moves: 4 }],
      reason: "too-young",
      recorded: [{ version: image, digest: now, since: since(0), moves: 5 }],
    },
  ])("that $when", async ({ candidates, reason, recorded }) => {
    const ports = fakePorts({ digests: (name) => [digestOf(name)] });
    const web = { ...idleWorkload("web", image, parts), digests: tracking, candidates };
    const decision = await createEvaluator(ports)(web);
    expect(chosen(decision)).toBe(reason);
    expect(decision).toMatchObject({ candidates: recorded });
  });
});
