import { asResolved } from "../../../support/resolved.ts";
import { recordedGates } from "../../../../functions/domain/gates/recorded-gates.ts";
import { describe, expect, test } from "vitest";
import { formatImageReference } from "../../../../functions/domain/image/reference.ts";
import type { ContainerDigest } from "../../../../functions/domain/workload/digest/tracking.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { QueryRejected } from "../../../../functions/ports/errors.ts";
import { RegistryNotAllowed, Throttled, Unreachable } from "../../../../functions/ports/errors.ts";
import type { PullLogins } from "../../../../functions/ports/registry.ts";
import { openBudget } from "../../../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { evaluateWorkload } from "../../../../functions/workflows/poll/evaluate/evaluate-workload.ts";
import type { EvaluationPorts } from "../../../../functions/workflows/poll/evaluate/evaluation-ports.ts";
import {
  digest,
  digestWorkload,
  tagAndDigestWorkload,
  prod,
  restartingWorkload,
} from "../../../support/digest-workloads.ts";
import { image, noon, target, workload, updateTarget } from "../../../support/workloads.ts";

const pullSecrets: PullLogins = ['{"auths":{}}'];

interface Answers {
  readonly tags?: readonly string[] | Error;
  readonly digests?: Readonly<Record<string, readonly string[] | Error>>;
  readonly running?: readonly ContainerDigest[];
  readonly analyses?: Readonly<Record<string, string | Error>>;
}

/** Returns ports with these answers, and the requests that they receive. */
function recordingPorts({ tags = [], digests = {}, running = [], analyses = {} }: Answers) {
  const requests: string[] = [];
  const answer = <T>(request: string, logins: PullLogins | undefined, found: T | Error): T => {
    requests.push(`${request}${logins === pullSecrets ? " with its pull secrets" : ""}`);
    if (found instanceof Error) throw found;
    return found;
  };
  const digestsOfImage = (name: string) => digests[name] ?? [digest(1)];
  const ports: EvaluationPorts = {
    verifier: { scopes: [], verify: async () => ({ kind: "disabled", digest: null, reason: "no rules" }) },
    budget: openBudget(),
    cluster: {
      name: "test",
      pullSecrets: async () => pullSecrets,
      runningDigests: async () => answer("pods", undefined, running),
      readConfig: async () => {
        throw new Error("no configuration is tracked");
      },
      jobProblem: async (_workload, { template, image: run }) =>
        answer(`CronJob ${template}`, undefined, template === "smoke" ? null : `${template} with ${run}: not found`),
      identityProblem: async () => null,
      readNamed: async () => null,
      readFreeze: async () => ({ kind: "text", text: null }),
      readAnalysis: async (_workload, name) => answer(`ConfigMap ${name}`, undefined, analyses[name] ?? null),
    },
    async metricProvider(provider) {
      if (provider.kind === "cloudwatch") throw new QueryRejected("CloudWatch is not enabled", null);
      if (provider.address?.startsWith("http")) throw new QueryRejected(`${provider.address} is not allowed`, null);
    },
    registry: {
      listTags: async ({ repository }, logins) => answer(`tags of ${repository}`, logins, tags),
      digestOf: async (reference, logins) => {
        const name = formatImageReference(reference);
        return answer(`digest of ${name}`, logins, digestsOfImage(name))[0] as string;
      },
      resolve: async (reference, logins) => {
        const name = formatImageReference(reference);
        return asResolved(answer(`manifest of ${name}`, logins, digestsOfImage(name)));
      },
      digestsOf: async (reference, logins) => {
        const name = formatImageReference(reference);
        return answer(`digests of ${name}`, logins, digestsOfImage(name));
      },
    },
  };
  return { ports, requests };
}

async function decide(subject: Workload, answers: Answers = {}) {
  const { ports, requests } = recordingPorts(answers);
  const decision = await evaluateWorkload(ports, subject, noon, recordedGates(subject));
  return { decision, requests };
}

const both = {
  containers: [
    { name: "app", image },
    { name: "side", image: "side:3.0" },
  ],
  deployed: { app: digest(1), side: digest(1) },
};
const withPullSecrets = " with its pull secrets";

describe("requests only what the decision needs", () => {
  const adopt = { initialDigestPolicy: "adopt" } as const;
  test.for<{ when: string; subject: Workload; answers?: Answers; expected: readonly string[] }>([
    { when: "tracked by digest", subject: digestWorkload(), expected: [`digest of ${prod}`] },
    { when: "tracked by tag", subject: workload(), answers: { tags: ["1.0.0"] }, expected: ["tags of shop/app"] },
    {
      when: "tracked by both, with a higher tag",
      subject: tagAndDigestWorkload({ digests: both }),
      answers: { tags: ["1.0.0", "1.1.0"] },
      // Twice, of which a poll asks once.
      expected: [
        "tags of shop/app",
        `manifest of ${target}`,
        `digest of ${target}`,
        "digest of docker.io/library/side:3.0",
      ],
    },
    {
      when: "tracked by both, with an invalid constraint",
      subject: tagAndDigestWorkload({ policy: { versionConstraint: "one" } }),
      answers: { tags: ["1.0.0"] },
      expected: ["tags of shop/app"],
    },
    {
      when: "no digest is recorded, to restart",
      subject: digestWorkload({ digests: { deployed: {} } }),
      expected: [`digest of ${prod}`, `digests of ${prod}`],
    },
    {
      when: "a digest is recorded, to adopt",
      subject: digestWorkload({ digests: adopt }),
      expected: [`digest of ${prod}`],
    },
    {
      when: "one container is new, to adopt",
      subject: tagAndDigestWorkload({ source: null, digests: { ...both, ...adopt, deployed: { side: digest(1) } } }),
      expected: [`digests of ${image}`, "digest of docker.io/library/side:3.0", "pods"],
    },
    { when: "in flight", subject: restartingWorkload(), expected: [] },
    { when: "paused", subject: digestWorkload({ policy: { paused: true } }), expected: [] },
  ])("$when", async ({ subject, answers, expected }) => {
    const { requests } = await decide(subject, answers);
    expect(requests).toEqual(expected.map((request) => (request === "pods" ? request : request + withPullSecrets)));
  });
});

describe("before a canary starts, its analysis", () => {
  const canary = { unit: "replicas", amount: 1 } as const;
  const metric = { name: "errors", query: "errors", threshold: 0.01 };
  const metricDataQueries = [{ id: "faults", expression: "SELECT SUM(Fault) FROM ApplicationSignals" }];
  const cloudWatchMetric = { name: "faults", cloudWatch: { metricDataQueries }, threshold: 0.01 };
  const named = (parts: object) => workload({ policy: { canary, analysis: "errors" }, ...parts });
  const inline = (analysis: object) => named({ policy: { canary, analysis: JSON.stringify(analysis) } });
  const paused = [
    { kind: "replicas", size: canary, analysis: null, durationSeconds: null },
    { kind: "pause", seconds: 240, end: "continue" },
  ] as const;
  const tags = ["1.0.0", "1.1.0"];
  const valid = { errors: JSON.stringify({ metrics: [metric] }) };

  test.for<{ when: string; subject: Workload; analyses?: Answers["analyses"]; problem: string }>([
    { when: "is missing", subject: named({}), problem: "ConfigMap shop/errors with the key analysis.yaml not found" },
    {
      when: "is inline and too long",
      subject: named({ policy: { canary, analysis: `metrics: ${"#".repeat(65_536)}` } }),
      problem: "the analysis is invalid: its text: has 65545 characters; use at most 65536",
    },
    {
      when: "is too long",
      subject: named({}),
      analyses: { errors: "#".repeat(65_537) },
      problem: "ConfigMap shop/errors with the key analysis.yaml: has 65537 characters; use at most 65536",
    },
    { when: "is not YAML", subject: named({}), analyses: { errors: "{" }, problem: "the analysis is invalid" },
    { when: "has a typo", subject: inline({ metric: [metric] }), problem: "metric: is not a known field" },
    {
      when: "has an address that is not allowed",
      subject: inline({ prometheus: "https://evil.example", metrics: [metric] }),
      problem: "https://evil.example is not allowed",
    },
    {
      when: "queries CloudWatch, which is not enabled, in its second metric",
      subject: inline({ metrics: [metric, cloudWatchMetric] }),
      problem: "CloudWatch is not enabled",
    },
    {
      when: "has a Job without a CronJob",
      subject: inline({
        metrics: [metric, { name: "smoke", job: { name: "smoke" } }, { name: "a", job: { name: "b" } }],
      }),
      problem: "the analysis is invalid: b with null: not found",
    },
    {
      when: "has a Job that cannot run the new image",
      subject: inline({ metrics: [{ name: "a", job: { name: "b", useNewImage: true } }] }),
      problem: `b with ${image}: not found`,
    },
    {
      when: "has a range that is longer than the bake time",
      subject: named({ policy: { canary, analysis: "errors", bake: { seconds: 60 } } }),
      analyses: { errors: JSON.stringify({ metrics: [{ ...metric, query: "rate(errors[5m])" }] }) },
      problem:
        "the bake time of 1m0s is too short: the first measurement is that of errors after 5m0s; make it longer, or the range, period, warmUp or initialDelay shorter",
    },
    {
      when: "has a range that is longer than a pause",
      subject: named({ policy: { canary, analysis: "errors", canarySteps: paused } }),
      analyses: { errors: JSON.stringify({ metrics: [{ ...metric, query: "rate(errors[5m])" }] }) },
      problem: "the pause at step 2 of 4m0s is too short",
    },
  ])("$when: nothing starts", async ({ subject, analyses = {}, problem }) => {
    const { decision } = await decide(subject, { tags, analyses });
    expect(decision).toEqual({
      kind: "problem",
      problems: [expect.objectContaining({ text: expect.stringContaining(problem) })],
    });
  });

  test("is valid: it starts", async () => {
    const { decision } = await decide(named({}), { tags, analyses: valid });
    expect(decision).toMatchObject({ kind: "update", target: updateTarget });
  });

  test.for([
    { when: "no newer version exists", subject: named({}), answers: { tags: ["1.0.0"] } },
    { when: "all replicas are updated at once", subject: named({ policy: { analysis: "errors" } }), answers: { tags } },
    { when: "no analysis is configured", subject: named({ policy: { canary } }), answers: { tags } },
    {
      when: "pods are restarted",
      subject: digestWorkload({ policy: { canary, analysis: "errors" } }),
      answers: { digests: { [prod]: [digest(2)] } },
    },
  ])("is not read if $when", async ({ subject, answers }) => {
    const { requests } = await decide(subject, answers);
    expect(requests).not.toContain("ConfigMap errors");
  });
});

test("a repository that the deployment does not allow is a problem of the workload", async () => {
  const refused = new RegistryNotAllowed("docker.io/shop/app is in registries.denied of the deployment.");
  const { decision } = await decide(workload(), { tags: refused });
  expect(decision).toEqual({
    kind: "problem",
    problems: [{ field: "image", code: refused.name, text: refused.message }],
  });
});

describe("decides", () => {
  const moved = { [prod]: [digest(2)] };
  test.for<{ when: string; subject: Workload; answers: Answers; expected: object }>([
    {
      when: "a restart if a pod runs another digest than the one to adopt",
      subject: digestWorkload({ digests: { deployed: {}, initialDigestPolicy: "adopt" } }),
      answers: { digests: moved, running: [{ container: "app", digest: digest(9) }] },
      expected: { kind: "update", target: { kind: "digest" } },
    },
    {
      when: "no restart if what was deployed is a manifest of the index",
      subject: digestWorkload({ digests: { deployed: { app: digest(8) } } }),
      answers: { digests: { [prod]: [digest(2), digest(8)] } },
      expected: { kind: "hold", reason: "same-digest", digests: { deployed: { app: digest(2) } } },
    },
    {
      when: "a problem if the constraint is invalid",
      subject: tagAndDigestWorkload({ policy: { versionConstraint: "one" } }),
      answers: { tags: ["1.0.0"] },
      expected: { kind: "problem" },
    },
    {
      when: "a problem if the image is invalid",
      subject: workload({ source: "No Image" }),
      answers: {},
      expected: { kind: "problem" },
    },
    {
      when: "a restart even if the registry lists no tags",
      subject: tagAndDigestWorkload(),
      answers: { digests: { [image]: [digest(2)] } },
      expected: { kind: "update", target: { kind: "digest" } },
    },
  ])("$when", async ({ subject, answers, expected }) => {
    expect((await decide(subject, answers)).decision).toMatchObject(expected);
  });

  test.for<{ when: string; answers: Answers; error: string }>([
    {
      when: "the digest of one container cannot be fetched",
      answers: { tags: ["1.0.0"], digests: { "docker.io/library/side:3.0": new Unreachable("no answer") } },
      error: "Unreachable",
    },
    { when: "the tags cannot be listed", answers: { tags: new Throttled("later", 60) }, error: "Throttled" },
  ])("nothing if $when", async ({ answers, error }) => {
    await expect(decide(tagAndDigestWorkload({ digests: both }), answers)).rejects.toMatchObject({ name: error });
  });
});
