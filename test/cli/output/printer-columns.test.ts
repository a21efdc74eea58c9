import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { formatAge } from "../../../cli/output/format-age.ts";
import { autoUpdateTable } from "../../../cli/output/printer-columns.ts";
import type { AutoUpdate, AutoUpdateSpec } from "../../../functions/adapters/kubernetes/auto-update/object.ts";
import type { AutoUpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";

const anHourAgo = "2026-11-20T11:00:00Z";

function autoUpdate(name: string, spec: Partial<AutoUpdateSpec> = {}, status: AutoUpdateStatus = {}): AutoUpdate {
  const created = { creationTimestamp: anHourAgo };
  const metadata = { name, namespace: "shop", uid: "u-1", resourceVersion: "7", ...created };
  return { metadata, spec: { targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, ...spec }, status };
}

/** Renders a table, and returns the cells of each line by its column. */
function render(...autoUpdates: readonly AutoUpdate[]) {
  const [header = "", ...lines] = autoUpdateTable(autoUpdates, new PassThrough()).trimEnd().split("\n");
  const columns = [...header.matchAll(/\S+\s*/g)].map(({ 0: text, index }) => ({ name: text.trim(), index }));
  const cell = (line: string, at: number) => line.slice(columns[at]?.index, columns[at + 1]?.index).trim();
  return lines.map((line) => Object.fromEntries(columns.map(({ name }, at) => [name, cell(line, at)])));
}

test("the table has the columns and cells of kubectl get", () => {
  const status: AutoUpdateStatus = {
    state: "Updating",
    reason: "Updating",
    message: "updating to 1.1.0",
    running: { image: "registry.example/shop/app:1.0.0", version: "1.0.0" },
    availableVersion: "1.1.0",
  };
  const rows = render(autoUpdate("deployment-web", { suspend: true }, status), autoUpdate("deployment-new"));
  const known = { STATE: "Updating", CURRENT: "1.0.0", AVAILABLE: "1.1.0", MESSAGE: "updating to 1.1.0" };
  const empty = { STATE: "", CURRENT: "", AVAILABLE: "", MESSAGE: "" };
  expect(rows).toEqual([
    { NAMESPACE: "shop", NAME: "deployment-web", ...known },
    { NAMESPACE: "shop", NAME: "deployment-new", ...empty },
  ]);
});

describe("an age is printed as kubectl prints it", () => {
  const [minute, hour, day] = [60, 3600, 86_400] as const;
  test.for([
    [-5, "0s"],
    [0, "0s"],
    [119, "119s"],
    [2 * minute, "2m"],
    [9 * minute + 59, "9m59s"],
    [10 * minute + 1, "10m"],
    [3 * hour - 1, "179m"],
    [3 * hour, "3h"],
    [7 * hour + 59 * minute, "7h59m"],
    [8 * hour, "8h"],
    [2 * day - 1, "47h"],
    [2 * day, "2d"],
    [7 * day + 23 * hour, "7d23h"],
    [8 * day, "8d"],
    [400 * day, "400d"],
  ] as const)("%s s: %s", ([seconds, text]) => {
    expect(formatAge(seconds)).toBe(text);
  });
});
