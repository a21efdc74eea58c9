import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clusterFolder } from "./manifests.ts";

/** One line of the table in docs/permissions.md: what a function asks the API server for, as `verb resource.group`. */
export interface PermissionRow {
  readonly name: string;
  readonly group: string;
  readonly requests: readonly string[];
}

/** What the table calls workloads. */
const workloads = ["deployments.apps", "statefulsets.apps", "daemonsets.apps", "claws.claw.prismer.ai"];

/** What a group asks for by all tables but that of node pools: those of canaries too, in which one line may be of several functions. */
export function requestsOfGroup(group: string): readonly string[] {
  const [before, , after] = aroundNodePools();
  return requestsOf(group, [...before, ...after]);
}

/** What a group asks for besides where node pools are kept. */
export function requestsForNodePools(group: string): readonly string[] {
  return requestsOf(group, aroundNodePools()[1]);
}

type Lines = readonly string[];

/** What is before the section of node pools, the section, and what is after it. */
function aroundNodePools(): readonly [Lines, Lines, Lines] {
  const lines = documentation();
  const start = lines.indexOf("## Node pools");
  const end = lines.findIndex((line, index) => index > start && line.startsWith("## "));
  if (start === -1 || end === -1) throw new Error("docs/permissions.md has no section of node pools, or ends with it");
  return [lines.slice(0, start), lines.slice(start, end), lines.slice(end)];
}

function requestsOf(group: string, section: Lines): readonly string[] {
  const lines = section.filter((line) => line.includes(`| \`${group}\` |`));
  return lines.flatMap((line) => {
    const [, , , requests = ""] = line.split("|");
    return requestsIn(requests);
  });
}

function documentation(): readonly string[] {
  return readFileSync(join(clusterFolder, "..", "..", "docs", "permissions.md"), "utf8").split("\n");
}

/** A cell of requests reads `get` `list` workloads; `delete` pods. */
export function permissionRows(): readonly PermissionRow[] {
  const lines = documentation().filter((line) => /^\| `[a-z-]+` \| (`pawl:|none)/.test(line));
  return lines.map((line) => {
    const [, name = "", group = "", requests = ""] = line.split("|").map((cell) => cell.trim());
    return { name: name.replaceAll("`", ""), group: group.replaceAll("`", ""), requests: requestsIn(requests) };
  });
}

export function requestsInTable(name: string): readonly string[] {
  return permissionRows().find((row) => row.name === name)?.requests ?? [];
}

function requestsIn(cell: string): readonly string[] {
  const each = cell.split(";").flatMap((part) => {
    const verbs = [...part.matchAll(/`([a-z]+)`/g)].map(([, verb]) => verb ?? "");
    const what = part.replaceAll(/`[a-z]+`/g, "").trim();
    const resources = what === "workloads" ? workloads : [what];
    return verbs.flatMap((verb) => resources.map((resource) => `${verb} ${resource}`));
  });
  return each.toSorted();
}
