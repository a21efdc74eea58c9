import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clusterFolder } from "./manifests.ts";

/** One row of the table in docs/reference/permissions.md: the requests of a function, as `verb resource.group`. */
export interface PermissionRow {
  readonly name: string;
  readonly group: string;
  readonly requests: readonly string[];
}

/** The meaning of `workloads` in the table. */
const workloads = ["deployments.apps", "statefulsets.apps", "daemonsets.apps", "claws.claw.prismer.ai"];

/** Returns the requests of a group in all tables except that of node pools. A row may list several functions. */
export function requestsOfGroup(group: string): readonly string[] {
  const [before, , after] = splitAtNodePools();
  return requestsOf(group, [...before, ...after]);
}

/** Returns the additional requests of a group with node pools. */
export function requestsForNodePools(group: string): readonly string[] {
  return requestsOf(group, splitAtNodePools()[1]);
}

type Lines = readonly string[];

/** Returns the lines before, in and after the section of node pools. */
function splitAtNodePools(): readonly [Lines, Lines, Lines] {
  const lines = documentation();
  const start = lines.indexOf("## Node pools");
  const end = lines.findIndex((line, index) => index > start && line.startsWith("## "));
  if (start === -1 || end === -1) throw new Error('docs/reference/permissions.md: no section after "## Node pools"');
  return [lines.slice(0, start), lines.slice(start, end), lines.slice(end)];
}

function requestsOf(group: string, section: Lines): readonly string[] {
  const lines = section.filter((line) => line.includes(`| \`${group}\` |`));
  return lines.flatMap((line) => {
    const [, , , requests = ""] = line.split("|");
    return parseRequests(requests);
  });
}

function documentation(): readonly string[] {
  return readFileSync(join(clusterFolder, "..", "..", "docs", "reference", "permissions.md"), "utf8").split("\n");
}

/** Parses all rows; a cell of requests has the form `get` `list` workloads; `delete` pods. */
export function permissionRows(): readonly PermissionRow[] {
  const lines = documentation().filter((line) => /^\| `[a-z-]+` \| (`pawl:|none)/.test(line));
  return lines.map((line) => {
    const [, name = "", group = "", requests = ""] = line.split("|").map((cell) => cell.trim());
    return { name: name.replaceAll("`", ""), group: group.replaceAll("`", ""), requests: parseRequests(requests) };
  });
}

/** Returns the requests that a function sends in some cases only, by the rows that say when. */
export function requestsInSomeCases(name: string): readonly string[] {
  const lines = documentation().filter((line) => line.startsWith("| ") && line.includes(`\`${name}\``));
  return lines.flatMap((line) => {
    const [, functions = "", , requests = ""] = line.split("|");
    return functions.includes(": ") ? parseRequests(requests) : [];
  });
}

export function requestsInTable(name: string): readonly string[] {
  return permissionRows().find((row) => row.name === name)?.requests ?? [];
}

function parseRequests(cell: string): readonly string[] {
  const requests = cell.split(";").flatMap((part) => {
    const verbs = [...part.matchAll(/`([a-z]+)`/g)].map(([, verb]) => verb ?? "");
    const resourceText = part.replaceAll(/`[a-z]+`/g, "").trim();
    const resources = resourceText === "workloads" ? workloads : [resourceText];
    return verbs.flatMap((verb) => resources.map((resource) => `${verb} ${resource}`));
  });
  return requests.toSorted();
}
