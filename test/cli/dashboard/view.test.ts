import { describe, expect, test } from "vitest";
import type { WorkloadRow } from "../../../cli/dashboard/model.ts";
import { parseRoute, titleOf } from "../../../cli/dashboard/page/route.ts";
import { countHours } from "../../../cli/dashboard/page/workload/hours.ts";
import { countRows, linkToView, parseView, selectRows } from "../../../cli/dashboard/page/view.ts";

const row = (name: string, state: WorkloadRow["state"], changed: Partial<WorkloadRow> = {}): WorkloadRow => ({
  key: `deployment/shop/${name}`,
  kind: "Deployment",
  namespace: "shop",
  name,
  current: "1.0.0",
  available: null,
  state,
  reason: "",
  message: "",
  circuit: "closed",
  rollbacks: "0/3",
  changedAt: null,
  progress: null,
  recent: [],
  ...changed,
});

const rows = [
  row("a", "UpToDate"),
  row("b", "Stalled", { message: "no such Tag", changedAt: "2026-11-20T12:00:00Z" }),
  row("c", "Updating", { namespace: "edge" }),
  row("d", "CircuitOpen", { changedAt: "2026-11-21T12:00:00Z" }),
  row("e", "UpToDate", { kind: "Claw" }),
];

describe("a view of the workloads", () => {
  test.for([
    { query: "", names: "dbcae" },
    { query: "sort=-state", names: "eacbd" },
    { query: "sort=key", names: "abcde" },
    { query: "sort=-changedAt", names: "dbeca" },
    { query: "sort=nothing", names: "dbcae" },
    { query: "state=UpToDate", names: "ae" },
    { query: "state=Nothing", names: "" },
    { query: "namespace=edge", names: "c" },
    { query: "kind=Claw&state=UpToDate", names: "e" },
    { query: "search=%20TAG", names: "b" },
    { query: "search=tag&namespace=edge", names: "" },
  ])("?$query: $names", ({ query, names }) => {
    const shown = selectRows(rows, parseView(query));
    expect(shown.map(({ name }) => name).join("")).toBe(names);
  });

  test.for(["", "?sort=-changedAt", "?search=a+b%26c&namespace=edge&kind=Claw&state=Held&sort=key", "?sort=-state"])(
    "its address is the same after it was read: %s",
    (query) => {
      expect(linkToView(parseView(query.slice(1)))).toBe(`#/workloads${query}`);
    },
  );

  test("counts every state, those that need a person first, of the rows that the other filters select", () => {
    const counts = (query: string) => [...countRows(rows, parseView(query))];
    expect(counts("state=Held&sort=-key")).toEqual([
      ["CircuitOpen", 1],
      ["Stalled", 1],
      ["Updating", 1],
      ["UpToDate", 2],
    ]);
    expect(counts("kind=Claw")).toEqual([["UpToDate", 1]]);
  });
});

test.for([
  ["", "Workloads"],
  ["#/workloads?state=CircuitOpen&namespace=shop", "Workloads: Circuit open: shop"],
  ["#/workload/deployment/shop/web", "deployment/shop/web"],
  ["#/workload/deployment/shop/%E0%A4%A", "deployment/shop/%E0%A4%A"],
  ["#/pool/workers%2F1", "Node pool workers/1"],
  ["#/pools", "Node pools"],
  ["#/plan", "Next poll"],
  ["#/nothing", "Workloads"],
] as const)("the address %s has the title %s", ([hash, title]) => {
  expect(titleOf(parseRoute(hash))).toBe(title);
});

test("counts the updates of the last 24 hours by hour", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const ended = (at: string, isHealthy: boolean) => ({ at: `2026-11-${at}:00Z`, isHealthy });
  const recent = [ended("21T11:30", true), ended("21T12:05", true), ended("21T11:01", false), ended("20T12:01", true)];
  const hours = countHours([{ recent }, { recent: [ended("21T10:30", false), ended("20T11:59", false)] }], now);
  expect(hours).toHaveLength(24);
  expect([hours[0], hours[22], hours[23]]).toEqual([
    { healthy: 1, failed: 0 },
    { healthy: 0, failed: 1 },
    { healthy: 2, failed: 1 },
  ]);
  expect(hours.reduce((sum, { healthy, failed }) => sum + healthy + failed, 0)).toBe(5);
});
