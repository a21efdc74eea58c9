import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { historyDocument } from "../../cli/commands/history.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { annotations, imageUpdaterAnnotations } from "../../functions/domain/workload/policy/annotations.ts";
import {
  bootcNodeAnnotations,
  claimAnnotation,
  cordonAnnotation,
  protectionMark,
} from "../../functions/domain/node-pool/pool/annotations.ts";
import { readMachine } from "../machines/asl-files.ts";
import { runPawl } from "../cli/run-pawl.ts";
import { documents, readDocument, root, sectionsOf } from "./document.ts";

test("docs/reference/annotations.md lists every annotation that Pawl reads or writes", () => {
  const text = readDocument("annotations.md");
  const names = [annotations, bootcNodeAnnotations].flatMap((table) => Object.values<string>(table));
  for (const name of [...names, claimAnnotation, cordonAnnotation, protectionMark])
    expect(text).toContain(`\`${name}\``);
});

test("docs/how-to/digests.md lists every annotation of kubernetes-image-updater", () => {
  const text = readDocument("digests.md");
  for (const name of Object.values(imageUpdaterAnnotations)) expect(text).toContain(`\`${name}\``);
});

describe("docs/reference/cli.md", () => {
  const text = readDocument("cli.md");

  test("has each command of `pawl --help`, and no other", async () => {
    const { stdout } = await runPawl(["--help"]);
    const commands = [...stdout.matchAll(/^ {2}([a-z][a-z-]*)(?= )/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== "help" && name !== "pawl");
    const rows = [...text.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = ""]) => [
      ...cell.matchAll(/`([a-z][a-z-]*)/g),
    ]);
    expect(new Set(rows.map(([, name]) => name).filter((name) => name !== "bootcnodepool"))).toEqual(new Set(commands));
  });

  test.for(["promote", "abort", "reset", "push", "retry"])("has the options of a request: %s", async (verb) => {
    const { stdout } = await runPawl([verb, "--help"]);
    const section = sectionsOf(text, 2).get("Requests") ?? "";
    const options = [...section.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option = ""]) => option);
    expect(options).toEqual(["--wait", "--no-wait", "--reason", "--timeout"]);
    for (const option of options) expect(stdout).toContain(option);
  });

  test("has the fields of an update in `pawl history --json`", () => {
    const row = /^\| `history` \|.*$/m.exec(sectionsOf(text, 2).get("JSON") ?? "")?.[0] ?? "";
    const [, ...fields] = [...row.matchAll(/`(\w+)`/g)].map(([, field]) => field);
    const entry = { version: "1.0.0", status: "Healthy", appliedAt: new Date(0) } as const;
    expect(fields).toEqual(Object.keys(historyDocument(entry)));
  });

  test("has each exit code", () => {
    const rows = [...(sectionsOf(text, 2).get("Exit codes") ?? "").matchAll(/^\| (\d+) \|/gm)];
    expect(rows.map(([, code]) => Number(code))).toEqual(Object.values(exitCodes));
  });
});

test("docs/explanation/architecture.md has each end state of workload-update with its status", () => {
  const rows = readDocument("architecture.md").matchAll(/^\| `(\w+)` \| (SUCCEEDED|FAILED) \|/gm);
  const states = Object.entries(readMachine("workload-update").States);
  const ends = states.filter(([, { Type }]) => Type === "Succeed" || Type === "Fail");
  const nameOf = (name: string, state: object) => ("Error" in state ? String(state.Error) : name);
  expect(new Map([...rows].map(([, name, status]) => [name, status]))).toEqual(
    new Map(ends.map(([name, state]) => [nameOf(name, state), state.Type === "Fail" ? "FAILED" : "SUCCEEDED"])),
  );
});

test.for([
  { heading: "StatefulCanary", crd: "crds/stateful-canary.yaml" },
  { heading: "BootcNodePool", crd: "node-pools/crds/bootc-node-pool.yaml" },
])("docs/reference/status.md lists every status field of $heading", ({ heading, crd }) => {
  const section = sectionsOf(readDocument("status.md"), 2).get(heading) ?? "";
  const definition = parse(readFileSync(join(root, "infra", "cluster", crd), "utf8"));
  const fields = Object.keys(definition.spec.versions[0].schema.openAPIV3Schema.properties.status.properties);
  expect(fields.length).toBeGreaterThan(5);
  for (const field of fields) expect(section).toContain(`\`${field}\``);
});

test("README.md has fewer than 120 lines", () => {
  expect(readFileSync(join(root, "README.md"), "utf8").trimEnd().split("\n").length).toBeLessThan(120);
});

test("docs/reference/glossary.md has the six words that are Pawl's own", () => {
  const words = [...readDocument("glossary.md").matchAll(/^\| \*\*(\w+)\*\* \|/gm)].map(([, word]) => word);
  expect(words).toEqual(["workload", "hold", "claim", "adopt", "slot", "circuit"]);
});

/** Returns the anchor of a heading as GitHub computes it. */
function anchorOf(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(/\s/g, "-")}`;
}

test.for(documents)("every link of %s leads to a file and a heading", (document) => {
  const text = readFileSync(join(root, document), "utf8");
  for (const [, link = ""] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? document : join(dirname(document), path);
    expect(existsSync(join(root, target)), `${link}: the file exists`).toBe(true);
    if (anchor === undefined) continue;
    const headings = [...readFileSync(join(root, target), "utf8").matchAll(/^#+ (.+)$/gm)];
    expect(headings.map(([, heading = ""]) => anchorOf(heading))).toContain(`#${anchor}`);
  }
});
