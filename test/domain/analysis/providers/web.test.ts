import { describe, expect, test } from "vitest";
import { parseJsonPath, valueAt } from "../../../../functions/domain/analysis/providers/json-path.ts";
import type { WebQuery } from "../../../../functions/domain/analysis/providers/web.ts";
import type { AnalysisSpec } from "../../../../functions/domain/analysis/spec.ts";
import { parseAnalysis } from "../../../../functions/domain/analysis/parse-analysis.ts";
import { bindArgs } from "../../../../functions/domain/analysis/template.ts";

const document = { data: { "error rate": 0.5, list: [{ v: 1 }, { v: 2 }], none: null }, "a.b": 7 };

describe("a JSONPath", () => {
  test.for([
    { path: "$", value: document },
    { path: "$.data['error rate']", value: 0.5 },
    { path: '$.data["error rate"]', value: 0.5 },
    { path: "{.data.list[0].v}", value: 1 },
    { path: "{$.data.list[-1].v}", value: 2 },
    { path: ".data.list[1]['v']", value: 2 },
    { path: "['a.b']", value: 7 },
    { path: "$.data.none", value: null },
    { path: "$.data.none.v", value: undefined },
    { path: "$.data.list.length", value: undefined },
    { path: "$.data.list[2]", value: undefined },
    { path: "$.data[0]", value: undefined },
    { path: "$['a.b'].v", value: undefined },
    { path: "$.constructor", value: undefined },
    { path: "$.__proto__", value: undefined },
  ])("$path has the value $value", ({ path, value }) => {
    const parsed = parseJsonPath(path);
    expect(parsed.kind === "path" ? valueAt(document, parsed.keys) : parsed).toEqual(value);
  });

  test.for(["", "data", "$.", "$..v", "$.*", "$[*]", "$.list[0:2]", "$[?(@.v>1)]", "$.a b", "$['a]", "$.a; drop"])(
    "%j is refused",
    (path) => {
      expect(parseJsonPath(path)).toMatchObject({ kind: "invalid", reason: expect.stringContaining("JSONPath") });
    },
  );
});

function analysis(web: unknown) {
  return parseAnalysis({ metrics: [{ name: "rate", web, threshold: 1 }] });
}

describe("a metric of the web", () => {
  test("is a URL that a deployment allows, parameters with arguments, and a path", () => {
    const url = "https://M.example:443/a/?service={{args.set}}&q=a+b%26c&q=?";
    const spec = bindArgs(analysis({ url, jsonPath: "$.rate" }) as AnalysisSpec, { canary: "web&admin=1" });
    const [metric] = (spec as AnalysisSpec).metrics;
    expect(metric?.provider).toEqual({ kind: "web", address: "https://m.example/a/" });
    expect(JSON.parse(`${metric?.query}`)).toEqual({
      parameters: [
        ["service", "web&admin=1"],
        ["q", "a b&c"],
        ["q", "?"],
      ],
      times: [],
      path: ["rate"],
    } satisfies WebQuery);
    expect(metric?.rangeSeconds).toBe(0);
  });

  test("may ask for a range of time, which is the range of its measurements", () => {
    const url = "https://m.example/?from={{now-1m30s}}&to={{ now }}&from={{now - 5m}}&q=x";
    const [metric] = (analysis({ url, jsonPath: "$.rate" }) as AnalysisSpec).metrics;
    const times = [["from", 90], ["to", 0], ["from", 300]]; // prettier-ignore
    expect(JSON.parse(`${metric?.query}`)).toEqual({ parameters: [["q", "x"]], times, path: ["rate"] });
    expect(metric?.rangeSeconds).toBe(300);
  });

  test.for([
    { web: { url: "https://m.example" }, reason: "jsonPath" },
    { web: { url: "https://m.example", jsonPath: "rate" }, reason: "JSONPath" },
    { web: { jsonPath: "$.rate" }, reason: "url" },
    { web: { url: "ftp://m.example", jsonPath: "$" }, reason: "is not a URL such as https://" },
    { web: { url: "m.example", jsonPath: "$" }, reason: "is not a URL such as https://" },
    { web: { url: "https://u:p@m.example", jsonPath: "$" }, reason: "contains a login" },
    { web: { url: "https://m.example/#a", jsonPath: "$" }, reason: "must not contain a fragment" },
    { web: { url: "https://m.example/{{args.name}}", jsonPath: "$" }, reason: "has an argument before its query" },
    { web: { url: "https://{{args.name}}/", jsonPath: "$" }, reason: "has an argument before its query" },
    { web: { url: "https://m.example/?a={{now-5}}", jsonPath: "$" }, reason: "is not a time; use {{now}}" },
    { web: { url: "https://m.example/?a={{now+5m}}", jsonPath: "$" }, reason: "is not a placeholder" },
    { web: { url: "https://m.example/?a=x{{now}}", jsonPath: "$" }, reason: "is not a placeholder" },
    { web: { url: "https://m.example/?a={{args", jsonPath: "$" }, reason: "has no closing braces" },
    { web: { url: "https://m.example/", jsonPath: "$", headers: [] }, reason: "headers" },
  ])("$web is refused: $reason", ({ web, reason }) => {
    expect(analysis(web)).toMatchObject([{ reason: expect.stringContaining(reason) }]);
  });
});
