import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { statusTable } from "../../../cli/output/status-table.ts";
import { type Cell, type Column, renderTable } from "../../../cli/output/table.ts";

const columns: readonly Column[] = [
  { header: "NAME" },
  { header: "IMAGE", narrow: "cut" },
  { header: "REASON", narrow: "wrap" },
];
const rows: readonly (readonly Cell[])[] = [
  [
    "shop/web",
    "registry.example.com/shop/web:1.2.3",
    { text: "the newest version of all that there are", colour: "green" },
  ],
  ["shop/cart", "", "日本語\n\u001b[31mred"],
];

beforeEach(() => {
  for (const name of ["NO_COLOR", "FORCE_COLOR", "NODE_DISABLE_COLORS", "CI"]) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

/** Returns the colour depth of a 256-colour terminal in this environment. */
function getColorDepth(): number {
  return WriteStream.prototype.getColorDepth({ ...process.env, TERM: "xterm-256color" });
}

function terminal(width: number) {
  return Object.assign(new PassThrough(), { isTTY: true, columns: width, getColorDepth });
}

test("piped output is plain, complete, and one line per row", () => {
  vi.stubEnv("FORCE_COLOR", "1");
  expect(renderTable(columns, rows, { stream: new PassThrough() })).toBe(
    [
      "NAME        IMAGE                                 REASON",
      "shop/web    registry.example.com/shop/web:1.2.3   the newest version of all that there are",
      "shop/cart                                         日本語 red",
      "",
    ].join("\n"),
  );
});

test("columns marked as narrow shrink on a narrow terminal", () => {
  vi.stubEnv("NO_COLOR", "1");
  expect(renderTable(columns, rows.slice(0, 1), { stream: terminal(52) })).toBe(
    [
      "NAME       IMAGE                 REASON",
      "shop/web   registry.example.c…   the newest version",
      "                                 of all that there",
      "                                 are",
      "",
    ].join("\n"),
  );
});

test("colours are used on a terminal, but not with NO_COLOR", () => {
  expect(renderTable(columns, rows, { stream: terminal(200) })).toContain("\u001b[32mthe newest");
  vi.stubEnv("NO_COLOR", "1");
  expect(renderTable(columns, rows, { stream: terminal(200) })).not.toContain("\u001b");
});

test("columns are kept if the terminal is too narrow for any", () => {
  const lines = renderTable(columns, rows, { stream: terminal(5) }).split("\n");
  expect(lines[0]).toMatch(/^NAME +IMAGE +REASON$/);
});

test.for([
  { width: 120, headers: "WORKLOAD STATE CURRENT AVAILABLE MESSAGE", name: "deployment/shop/payments" },
  { width: 80, headers: "WORKLOAD STATE CURRENT MESSAGE", name: "deployment/shop/payments" },
  { width: 70, headers: "WORKLOAD STATE MESSAGE", name: "deployment/shop/payments" },
  { width: 80, headers: "WORKLOAD STATE MESSAGE", name: `deployment/shop/${"n".repeat(253)}` },
])("a terminal of $width columns shows $headers", ({ width, headers, name }) => {
  vi.stubEnv("NO_COLOR", "1");
  const message = "the circuit is open after 3 failed attempts: use pawl reset";
  const [status] = [
    { workload: name, state: "CircuitOpen", running: "1.24.0", current: "1.24.0", available: "1.26.0" },
  ];
  const lines = statusTable([{ ...status, message, inFlight: null } as never], false, terminal(width))
    .trimEnd()
    .split("\n");
  expect(lines[0]?.split(/ +/).join(" ")).toBe(headers);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  expect(lines.join("")).not.toContain("…");
});
