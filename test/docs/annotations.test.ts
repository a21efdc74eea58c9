import { expect, test } from "vitest";
import { policyFields, policyTable } from "../../functions/domain/workload/policy/policy-table.ts";
import { readDocument, sectionsOf } from "./document.ts";

const section = sectionsOf(readDocument("annotations.md"), 2).get("Policy: you write these") ?? "";
const [annotations = "", maxima = ""] = section.split("| value | maximum |");

test("docs/reference/annotations.md has a row for each annotation of the policy table, and no other", () => {
  const rows = [...annotations.matchAll(/^\| `([^`]+)` \| .+ \| .+ \|$/gm)].map(([, name]) => name);
  const own = policyFields.flatMap(([, { annotation }]) => (annotation?.startsWith("pawl.dev/") ? [annotation] : []));
  expect(new Set(rows)).toEqual(new Set(own));
});

test("docs/reference/annotations.md has the maximum length of each field", () => {
  const rows = [...maxima.matchAll(/^\| (.+) \| ([\d,]+)/gm)].map(([, names = "", max = ""]) => {
    return { names: names.replaceAll(" ", "-"), max: Number(max.replaceAll(",", "")) };
  });
  const missing = policyFields.filter(([, { annotation, type, maxLength }]) => {
    const name = annotation?.replace(/^.*\/(canary-(?=analysis))?/, "") ?? "";
    const isListed = rows.some(({ names, max }) => max === maxLength && names.includes(name));
    const isListOfContainers = type === "list" && maxLength === policyTable.containers.maxLength;
    return maxLength !== undefined && !isListed && !isListOfContainers;
  });
  expect(missing.map(([field]) => field)).toEqual([]);
});
