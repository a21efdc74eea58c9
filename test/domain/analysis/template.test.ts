import { describe, expect, test } from "vitest";
import { type Args, bindArgs, checkTemplate } from "../../../functions/domain/analysis/template.ts";
import { analysis, errorRate } from "./samples.ts";

const args: Args = { namespace: "shop", name: "web", stable: "6d4", canary: "7f9", "p-99": "$& 0.5" };

function bindQuery(query: string, given = args) {
  return bindArgs(analysis({ metrics: [errorRate, { ...errorRate, name: "other", query }] }), given);
}

describe("arguments are substituted in a query", () => {
  test.for([
    { query: "vector(1)", text: "vector(1)" },
    { query: 'x{n="{{args.namespace}}"}', text: 'x{n="shop"}' },
    { query: "{{args.name}}-{{ args.canary }}/{{args.stable  }}", text: "web-7f9/6d4" },
    { query: "{{args.p-99}}", text: "$& 0.5" },
    { query: "{{args.name}}{{args.name}}", text: "webweb" },
    { query: 'x{n="}}"}', text: 'x{n="}}"}' },
  ])("$query", ({ query, text }) => {
    expect(bindQuery(query)).toMatchObject({ kind: "analysis", metrics: [{ query: "vector(0)" }, { query: text }] });
  });

  test("and cannot terminate its strings", () => {
    const problems = bindQuery('x{n="{{args.name}}"}', { name: 'a"} or vector(0) #' });
    expect(problems).toMatchObject([
      { path: "metrics[1].query", reason: expect.stringContaining("must not contain quotes") },
    ]);
  });

  test.for([
    { query: "{{args.nam}}", part: "args.nam", reason: '"args.nam" is unknown; use namespace, name, stable' },
    { query: "{{args.toString}}", part: "args.toString", reason: "is unknown" },
  ])("an unknown $part is a problem", ({ query, part, reason }) => {
    const path = "metrics[1].query";
    expect(bindQuery(query)).toEqual([{ kind: "invalid", path, part, reason: expect.stringContaining(reason) }]);
  });

  test("a query that its arguments make too long is a problem", () => {
    expect(bindQuery("{{args.pods}}".repeat(300), { pods: "web-7f9c|".repeat(1000) })).toMatchObject([
      { path: "metrics[1].query", reason: expect.stringContaining("more than 131072 characters with its arguments") },
    ]);
  });

  test("without arguments the message says that there are none", () => {
    expect(bindQuery("{{args.name}}", {})).toMatchObject([{ reason: expect.stringContaining("there are none") }]);
  });
});

describe("the sets of pods", () => {
  const sets = { stable: "web", canary: "web-canary", stablePods: "^web-[a-f]+$", canaryPods: "^web-canary-[a-f]+$" };
  const compared = { query: "a{{args.pods}} {{args.set}} {{args.stable}}", compare: { maxIncrease: "20%" } };

  test("are those of the canary, and in a baseline query the stable ones", () => {
    expect(bindArgs(analysis({ metrics: [{ ...errorRate, ...compared }] }), sets)).toMatchObject({
      metrics: [{ query: "a^web-canary-[a-f]+$ web-canary web", baselineQuery: "a^web-[a-f]+$ web web" }],
    });
  });

  test("in a baseline query are those of the baseline, if there is one", () => {
    const aged = { ...sets, baseline: "web-baseline", baselinePods: "^web-baseline-[a-f]+$" };
    expect(bindArgs(analysis({ metrics: [{ ...errorRate, ...compared }] }), aged)).toMatchObject({
      metrics: [{ baselineQuery: "a^web-baseline-[a-f]+$ web-baseline web" }],
    });
  });

  test.for([
    { given: { canary: "a", canaryPods: "b" }, part: "args.pods" },
    { given: { stable: "a", stablePods: "b" }, part: "args.pods" },
    { given: { ...sets, stablePods: 'a"' }, part: 'a"' },
  ])("$given are a problem", ({ given, part }) => {
    const spec = analysis({ metrics: [{ ...errorRate, ...compared, query: "{{args.pods}}" }] });
    expect(bindArgs(spec, given)).toMatchObject([{ path: "metrics[0].query", part }]);
  });
});

test.for([
  { query: "{{name}}", part: "{{name}}", reason: "use {{args.name}}" },
  { query: "{{}}", part: "{{}}", reason: "use {{args.name}}" },
  { query: "{{args.a b}}", part: "{{args.a b}}", reason: "use {{args.name}}" },
  { query: "x{{args.name}", part: "{{args.name}", reason: "has no closing braces" },
  { query: "{{args.name}} {{", part: "{{", reason: "has no closing braces" },
])("$query is not a template", ({ query, part, reason }) => {
  expect(checkTemplate(query)).toEqual({ kind: "invalid", part, reason: expect.stringContaining(reason) });
});
