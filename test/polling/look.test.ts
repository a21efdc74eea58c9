import { describe, expect, test } from "vitest";
import { Throttled, Unreachable } from "../../functions/adapters/errors.ts";
import { formatImageReference } from "../../functions/domain/image-reference.ts";
import type { ContainerDigest } from "../../functions/domain/tracking.ts";
import type { Workload } from "../../functions/domain/workload.ts";
import { look, type Sight } from "../../functions/polling/look.ts";
import type { PullLogins } from "../../functions/ports/registry.ts";
import { digest, followed, followedBoth, prod, restarting, second } from "../support/followed.ts";
import { image, noon, target, workload } from "../support/workloads.ts";

const own: PullLogins = ['{"auths":{}}'];

interface Answers {
  readonly tags?: readonly string[] | Error;
  readonly digests?: Readonly<Record<string, readonly string[] | Error>>;
  readonly running?: readonly ContainerDigest[];
}

/** What is asked, and with whose logins. */
function sight({ tags = [], digests = {}, running = [] }: Answers) {
  const asked: string[] = [];
  const answer = <T>(what: string, logins: PullLogins | undefined, found: T | Error): T => {
    asked.push(`${what}${logins === own ? " with its logins" : ""}`);
    if (found instanceof Error) throw found;
    return found;
  };
  const behind = (name: string) => digests[name] ?? [digest(1)];
  const looked: Sight = {
    cluster: {
      pullLogins: async () => own,
      runningDigests: async () => answer("pods", undefined, running),
    },
    registry: {
      listTags: async ({ repository }, logins) => answer(`tags of ${repository}`, logins, tags),
      digestOf: async (reference, logins) => {
        const name = formatImageReference(reference);
        return answer(`digest of ${name}`, logins, behind(name))[0] as string;
      },
      digestsOf: async (reference, logins) => {
        const name = formatImageReference(reference);
        return answer(`digests of ${name}`, logins, behind(name));
      },
    },
  };
  return { looked, asked };
}

async function decide(seen: Workload, answers: Answers = {}) {
  const { looked, asked } = sight(answers);
  const decision = await look(looked, seen, noon);
  return { decision, asked };
}

const both = {
  containers: [
    { name: "app", image },
    { name: "side", image: "side:3.0" },
  ],
  last: { app: digest(1), side: digest(1) },
};
const withLogins = " with its logins";

describe("asks only for what matters", () => {
  const baseline = { firstSight: "baseline" } as const;
  test.for<{ when: string; seen: Workload; answers?: Answers; asks: readonly string[] }>([
    { when: "followed by digest", seen: followed(), asks: [`digest of ${prod}`] },
    { when: "followed by tag", seen: workload(), answers: { tags: ["1.0.0"] }, asks: ["tags of shop/app"] },
    {
      when: "followed by both",
      seen: followedBoth(),
      answers: { tags: ["1.0.0"] },
      asks: ["tags of shop/app", `digest of ${image}`],
    },
    {
      when: "followed by both, with a higher tag",
      seen: followedBoth({ digests: both }),
      answers: { tags: ["1.0.0", "1.1.0"] },
      asks: ["tags of shop/app", `digest of ${target}`, "digest of docker.io/library/side:3.0"],
    },
    {
      when: "followed by both, with a bad constraint",
      seen: followedBoth({ policy: { versionConstraint: "one" } }),
      answers: { tags: ["1.0.0"] },
      asks: ["tags of shop/app"],
    },
    { when: "at first sight, to restart", seen: followed({ digests: { last: {} } }), asks: [`digest of ${prod}`] },
    {
      when: "at first sight, for a baseline",
      seen: followed({ digests: { ...baseline, last: {} } }),
      asks: [`digests of ${prod}`, "pods"],
    },
    { when: "later, with a baseline", seen: followed({ digests: baseline }), asks: [`digest of ${prod}`] },
    {
      when: "one container is new, with a baseline",
      seen: followedBoth({ source: null, digests: { ...both, ...baseline, last: { side: digest(1) } } }),
      asks: [`digests of ${image}`, "digest of docker.io/library/side:3.0", "pods"],
    },
    { when: "in flight", seen: restarting(), asks: [] },
    { when: "paused", seen: followed({ policy: { paused: true } }), asks: [] },
  ])("$when", async ({ seen, answers, asks }) => {
    const { asked } = await decide(seen, answers);
    expect(asked).toEqual(asks.map((one) => (one === "pods" ? one : one + withLogins)));
  });
});

describe("decides", () => {
  const moved = { [prod]: [digest(2)] };
  test.for<{ when: string; seen: Workload; answers: Answers; says: object }>([
    {
      when: "a restart for another digest",
      seen: followed(),
      answers: { digests: moved },
      says: { kind: "update", image: second, restart: true },
    },
    { when: "nothing for the same", seen: followed(), answers: {}, says: { reason: "same-digest" } },
    {
      when: "a baseline where a pod runs a manifest of the index",
      seen: followed({ digests: { last: {}, firstSight: "baseline" } }),
      answers: { digests: { [prod]: [digest(2), digest(8)] }, running: [{ container: "app", digest: digest(8) }] },
      says: { reason: "same-digest", digests: { last: { app: digest(2) } } },
    },
    {
      when: "a restart where a pod runs something else than the baseline",
      seen: followed({ digests: { last: {}, firstSight: "baseline" } }),
      answers: { digests: moved, running: [{ container: "app", digest: digest(9) }] },
      says: { kind: "update", restart: true },
    },
    {
      when: "an update by tag with the digests behind it",
      seen: followedBoth({ digests: both }),
      answers: { tags: ["1.1.0"], digests: { [target]: [digest(11)] } },
      says: { kind: "update", image: target, digests: { app: digest(11), side: digest(1) } },
    },
    {
      when: "a problem where the constraint cannot be read",
      seen: followedBoth({ policy: { versionConstraint: "one" } }),
      answers: { tags: ["1.0.0"] },
      says: { kind: "problem" },
    },
    {
      when: "a problem where the image cannot be read",
      seen: workload({ source: "No Image" }),
      answers: {},
      says: { kind: "problem" },
    },
    {
      when: "a restart also where the registry lists no tags",
      seen: followedBoth(),
      answers: { digests: { [image]: [digest(2)] } },
      says: { kind: "update", restart: true },
    },
  ])("$when", async ({ seen, answers, says }) => {
    expect((await decide(seen, answers)).decision).toMatchObject(says);
  });

  test.for<{ when: string; answers: Answers; error: string }>([
    {
      when: "one container cannot be asked about",
      answers: { tags: ["1.0.0"], digests: { "docker.io/library/side:3.0": new Unreachable("no answer") } },
      error: "Unreachable",
    },
    { when: "the tags cannot be listed", answers: { tags: new Throttled("later", 60) }, error: "Throttled" },
  ])("nothing where $when", async ({ answers, error }) => {
    await expect(decide(followedBoth({ digests: both }), answers)).rejects.toMatchObject({ name: error });
  });
});
