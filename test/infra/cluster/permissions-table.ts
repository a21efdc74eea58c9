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

/** What a group asks for by all tables: those of canaries too, in which one line may be of several functions. */
export function requestsOfGroup(group: string): readonly string[] {
  const lines = documentation().filter((line) => line.includes(`| \`${group}\` |`));
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
