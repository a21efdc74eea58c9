import { describe, expect, test } from "vitest";
import { analyzeCanary } from "../../functions/handlers/analyze-canary.ts";
import { canaryInFlight, canarying, workload } from "../support/workloads.ts";
import { errorRate, good, look } from "./canary-steps.ts";
import { around, expectSelectable, recreated, writesNothing } from "./steps.ts";

const named = { policy: { analysis: "error-rate" } };
const judged = canarying(named);
const givenUp = { ...canaryInFlight, startedAt: "malformed", phase: "rollback" } as const;
const known = { analyses: { "error-rate": errorRate }, measured: () => good };

describe("decides without a measurement", () => {
  const unreadable = "the analysis cannot be read: ";
  const inline = (analysis: string) => canarying({ policy: { analysis } });
  test.for([
    { when: "none is asked for", seen: canarying(), kind: "pass", reason: "no analysis is asked for" },
    {
      when: "a person promotes it",
      seen: canarying({ ...named, verdict: "promote" }),
      kind: "pass",
      reason: "by hand",
    },
    { when: "a person aborts it", seen: canarying({ ...named, verdict: "abort" }), kind: "fail", reason: "by hand" },
    {
      when: "it was switched off",
      seen: canarying({ policy: { enabled: false } }),
      kind: "fail",
      reason: "switched off",
    },
    {
      when: "its rollback was interrupted",
      seen: workload({ inFlight: givenUp }),
      kind: "fail",
      reason: "interrupted",
    },
    {
      when: "there is no such ConfigMap",
      seen: canarying({ policy: { analysis: "nowhere" } }),
      kind: "fail",
      reason: `${unreadable}there is no ConfigMap nowhere with a key analysis.yaml in shop`,
    },
    { when: "it is no YAML", seen: inline("metrics: [}"), kind: "fail", reason: unreadable },
    { when: "a field is misspelt", seen: inline("{metric: []}"), kind: "fail", reason: "metric: is not known" },
    {
      when: "an argument is not known",
      seen: inline("{count: 1, metrics: [{name: e, query: 'up{a=\"{{args.nobody}}\"}', threshold: 1}]}"),
      kind: "fail",
      reason: unreadable,
    },
    { when: "it is gone", seen: null, kind: "superseded", reason: "gone" },
    { when: "another has taken its name", seen: recreated(judged), kind: "superseded", reason: "gone" },
    { when: "nothing is in flight any more", seen: workload(named), kind: "superseded", reason: "no longer in flight" },
    {
      when: "another execution holds the claim",
      seen: canarying({ ...named, inFlight: { ...canaryInFlight, execution: "e-2" } }),
      kind: "superseded",
      reason: "held by e-2",
    },
    {
      when: "a person changed the image",
      seen: canarying({ ...named, image: "app:hotfix" }),
      kind: "superseded",
      reason: "was changed to app:hotfix",
    },
  ])("where $when: $kind", async ({ seen, kind, reason }) => {
    const answer = await analyzeCanary(around(seen, { ...known, atMoment: writesNothing }), look);
    expect(answer).toMatchObject({ kind, waitSeconds: 0, reason: expect.stringContaining(reason) });
    expectSelectable("AnalyzeCanary", answer);
  });
});
