import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { functionSpecs, handlerNames } from "../../infra/constructs/functions/function-specs.ts";
import { readDocument, root, sectionsOf } from "./document.ts";

const sections = sectionsOf(readDocument("threat-model.md"), 2);

/** Returns the cells of each row of the table in a section, without its header. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  const lines = (sections.get(heading) ?? "").split("\n").filter((line) => line.startsWith("| "));
  const [, , ...rows] = lines.map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")));
  return rows.map(([, ...cells]) => cells.slice(0, -1));
}

describe("docs/explanation/threat-model.md", () => {
  test("has a row for each function, with its group", () => {
    const rows = rowsOf("Functions").map(([name, group]) => `${name}: ${group}`);
    const expected = handlerNames.map((name) => `${name}: ${functionSpecs[name].group ?? "none"}`);
    expect(new Set(rows)).toEqual(new Set(expected));
    expect(rows).toHaveLength(expected.length);
  });

  test("names the logins that each function which measures reads, and no other", () => {
    const reading = rowsOf("Functions").filter(([, , adds = ""]) => adds.includes("logins for Prometheus servers"));
    const measuring = handlerNames.filter((name) => {
      const capabilities: readonly string[] = functionSpecs[name].capabilities;
      return capabilities.includes("metric-providers");
    });
    expect(reading.map(([name]) => name)).toEqual(expect.arrayContaining(measuring));
    expect(reading).toHaveLength(measuring.length);
  });

  test("has a row for each group, with the worst and what holds", () => {
    // The last one is for functions of other clusters.
    const groups = [...handlerNames.flatMap((name) => functionSpecs[name].group ?? []), "pawl:peers"];
    const rows = rowsOf("Groups");
    expect(new Set(rows.map(([group]) => group))).toEqual(new Set(groups));
    for (const row of rows) expect(row.filter((cell) => cell !== "")).toHaveLength(3);
  });

  test.for(rowsOf("Promises").map(([promise = "", proof = ""]) => ({ promise, proof })))(
    "links to tests: $promise",
    ({ proof }) => {
      const links = [...proof.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
      expect(links).not.toEqual([]);
      for (const link of links) {
        expect(link).toMatch(/^\.\.\/\.\.\/test\/.+\.test\.ts$/);
        expect(existsSync(join(root, "docs", "explanation", link)), link).toBe(true);
      }
    },
  );

  test.for(globSync("test/cluster/{rbac,admission}/*.test.ts", { cwd: root }))(
    "links to %s, which tests roles or policies",
    (file) => {
      expect(sections.get("Promises")).toContain(`](../../${file})`);
    },
  );
});
