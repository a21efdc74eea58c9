import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { chartParts, writeChart } from "../../../infra/chart/write-chart.ts";
import manifest from "../../../package.json" with { type: "json" };
import { manifestsOf } from "../cluster/manifests.ts";

function chart(): string {
  const folder = mkdtempSync(join(tmpdir(), "pawl-chart-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeChart(folder);
  return folder;
}

const read = (folder: string, file: string) =>
  parse(readFileSync(join(folder, file), "utf8")) as Record<string, unknown>;
const objectsIn = (text: string) =>
  parseAllDocuments(text).flatMap((document) => (document.contents === null ? [] : [document.toJS() as object]));
const sorted = (objects: readonly object[]) => objects.map((one) => JSON.stringify(one)).toSorted();

/** Evaluates the only template language that the chart uses: one condition around a whole file. */
function render(folder: string, values: Readonly<Record<string, unknown>>): readonly object[] {
  return Object.keys(chartParts).flatMap((part) => {
    const text = readFileSync(join(folder, "templates", `${part.replace("/", "-")}.yaml`), "utf8");
    const [, condition = "", body = text] = /^\{\{- if ([^}]+) \}\}\n([^]*)\{\{- end \}\}\n$/.exec(text) ?? [];
    const escape = '{{ "{{" }}';
    expect(body.replaceAll(escape, "")).not.toContain("{{");
    const names = [...condition.matchAll(/\.Values\.(\w+)/g)].map(([, name = ""]) => name);
    expect(condition).toBe(`${names.length > 1 ? "and " : ""}${names.map((name) => `.Values.${name}`).join(" ")}`);
    return names.every((name) => values[name] === true) ? objectsIn(body.replaceAll(escape, "{{")) : [];
  });
}

function renderByHelm(folder: string, set: readonly string[]): readonly object[] {
  const flags = set.flatMap((value) => ["--set", value]);
  return objectsIn(execFileSync("helm", ["template", "pawl", folder, ...flags], { encoding: "utf8" }));
}

const hasHelm = spawnSync("helm", ["version"]).status === 0;

describe.for([
  { by: "the inverse of the generator", isSkipped: false },
  { by: "helm template", isSkipped: !hasHelm },
])("the chart, rendered by $by, is what kustomize applies", ({ by, isSkipped }) => {
  test.skipIf(isSkipped).for([
    { set: [], parts: ["."] },
    { set: ["admissionPolicies=false"], parts: ["without-admission-policies"] },
    { set: ["crds=false"], parts: ["rbac", "cluster-wide", "admission-policies"] },
    { set: ["nodePools=true"], parts: [".", "node-pools"] },
    {
      set: ["nodePools=true", "admissionPolicies=false"],
      parts: ["without-admission-policies", "node-pools/without-admission-policies"],
    },
    {
      set: ["releases=true", "hooks=true", "pullSecrets=true", "prometheus=true", "peers=true"],
      parts: [".", "releases", "hooks", "pull-secrets", "prometheus", "peers"],
    },
  ])("$set: $parts", ({ set, parts }) => {
    const folder = chart();
    const given = set.map((one) => one.split("=") as [string, string]).map(([name, value]) => [name, value === "true"]);
    const values = { ...read(folder, "values.yaml"), ...(Object.fromEntries(given) as object) };
    const rendered = by === "helm template" ? renderByHelm(folder, set) : render(folder, values);
    expect(sorted(rendered)).toEqual(sorted(parts.flatMap((part) => manifestsOf(part))));
  });
});

test("the chart has the version of the package, and a value for each condition", () => {
  const folder = chart();
  expect(read(folder, "Chart.yaml")).toMatchObject({ name: manifest.name, version: manifest.version });
  const conditions = new Set(Object.values(chartParts).flat());
  expect(Object.keys(read(folder, "values.yaml")).toSorted()).toEqual([...conditions].toSorted());
});
