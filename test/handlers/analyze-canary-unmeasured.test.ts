import { describe, expect, test } from "vitest";
import { analyzeCanary } from "../../functions/handlers/analyze-canary.ts";
import { canaryInFlight, canaryWorkload, workload } from "../support/workloads.ts";
import { errorRate, good, checkStep } from "./canary-steps.ts";
import { around, expectSelectable, withNewUid, writesNothing } from "./steps.ts";

const named = { policy: { analysis: "error-rate" } };
const judged = canaryWorkload(named);
const rollingBack = { ...canaryInFlight, startedAt: "malformed", phase: "rollback" } as const;
const known = { analyses: { "error-rate": errorRate }, measured: () => good };

describe("decides without a measurement", () => {
  const invalid = "the analysis is invalid: ";
  const inline = (analysis: string) => canaryWorkload({ policy: { analysis } });
  test.for([
    {
      when: "no analysis is configured",
      initial: canaryWorkload(),
      kind: "pass",
      reason: "the canary is ready and has no analysis",
    },
    {
      when: "it is promoted manually",
      initial: canaryWorkload({ ...named, verdict: "promote" }),
      kind: "pass",
      reason: "manually",
    },
    {
      when: "it is aborted manually",
      initial: canaryWorkload({ ...named, verdict: "abort" }),
      kind: "fail",
      reason: "manually",
    },
    {
      when: "auto-update is disabled",
      initial: canaryWorkload({ policy: { enabled: false } }),
      kind: "fail",
      reason: "disabled",
    },
    {
      when: "its rollback was interrupted",
      initial: workload({ inFlight: rollingBack }),
      kind: "fail",
      reason: "interrupted",
    },
    {
      when: "the ConfigMap does not exist",
      initial: canaryWorkload({ policy: { analysis: "nowhere" } }),
      kind: "fail",
      reason: `${invalid}ConfigMap shop/nowhere with the key analysis.yaml not found`,
    },
    { when: "it is not YAML", initial: inline("metrics: [}"), kind: "fail", reason: invalid },
    {
      when: "a field is misspelled",
      initial: inline("{metric: []}"),
      kind: "fail",
      reason: "metric: is not a known field",
    },
    {
      when: "an argument is unknown",
      initial: inline("{count: 1, metrics: [{name: e, query: 'up{a=\"{{args.missing}}\"}', threshold: 1}]}"),
      kind: "fail",
      reason: invalid,
    },
    { when: "the workload is deleted", initial: null, kind: "superseded", reason: "not found" },
    { when: "the workload is recreated", initial: withNewUid(judged), kind: "superseded", reason: "not found" },
    {
      when: "no update is in progress any more",
      initial: workload(named),
      kind: "superseded",
      reason: "no longer in flight",
    },
    {
      when: "another execution holds the claim",
      initial: canaryWorkload({ ...named, inFlight: { ...canaryInFlight, execution: "e-2" } }),
      kind: "superseded",
      reason: "held by e-2",
    },
    {
      when: "the image is changed manually",
      initial: canaryWorkload({ ...named, image: "app:hotfix" }),
      kind: "superseded",
      reason: "was changed to app:hotfix",
    },
  ])("$kind if $when", async ({ initial, kind, reason }) => {
    const result = await analyzeCanary(around(initial, { ...known, atMoment: writesNothing }), checkStep);
    expect(result).toMatchObject({ kind, waitSeconds: 0, reason: expect.stringContaining(reason) });
    expectSelectable("AnalyzeCanary", result);
  });
});
