import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { stateReasons } from "../../functions/domain/state/state.ts";
import { autoUpdateName } from "../../functions/domain/workload/record/auto-update-name.ts";
import type { AutoUpdate } from "../../functions/adapters/kubernetes/auto-update/object.ts";
import { readDocument, root, sectionsOf } from "./document.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const text = readDocument("auto-update.md");
const sections = sectionsOf(text, 2);
const definition = parse(readFileSync(join(root, "infra/cluster/crds/auto-update.yaml"), "utf8"));
const [version] = definition.spec.versions;
const { spec, status } = version.schema.openAPIV3Schema.properties;

/** Returns the code spans in the first column of the tables of a section. */
function firstCells(section: string): readonly string[] {
  const cells = [...section.matchAll(/^\| (`[^|]+?) \|/gm)];
  return cells.flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
}

/** Returns the paths of the fields of an object, without the fields of list items. */
function pathsOf(schema: Schema, prefix = ""): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    `${prefix}${name}`,
    ...pathsOf(field, `${prefix}${name}.`),
  ]);
}

/** Returns the code blocks of a language. */
function blocks(language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, block = ""]) => block);
}

describe("docs/reference/auto-update.md", () => {
  test("lists every field of the spec, and no other", () => {
    expect(firstCells(sections.get("Spec") ?? "")).toEqual(pathsOf(spec));
  });

  test("lists every field of the status, and no other", () => {
    const [fields = ""] = (sections.get("Status") ?? "").split("###");
    expect(firstCells(fields)).toEqual(Object.keys(status.properties));
  });

  test.for(["history", "lastRequest", "digests", "analysis"])("names every field of status.%s", (name) => {
    const row = new RegExp(`^\\| \`${name}\` \\|.*$`, "m").exec(sections.get("Status") ?? "")?.[0] ?? "";
    const field = status.properties[name];
    const names = Object.keys((field.items ?? field).properties);
    expect(names.length).toBeGreaterThan(2);
    for (const one of names) expect(row).toContain(`\`${one}\``);
  });

  test("lists every field of the update in progress, and no other", () => {
    const section = sectionsOf(text, 3).get("The update in progress") ?? "";
    expect(firstCells(section).toSorted()).toEqual(Object.keys(status.properties.update.properties).toSorted());
  });

  test("explains every value of its fields", () => {
    const section = sectionsOf(text, 3).get("The update in progress") ?? "";
    const { phase, strategy, verdict } = status.properties.update.properties;
    for (const value of [...phase.enum, ...strategy.enum, ...verdict.enum]) expect(section).toContain(`\`${value}\``);
  });

  test("has every reason of a state, and no other", () => {
    const section = sectionsOf(text, 3).get("State") ?? "";
    const rows = [...section.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)];
    const documented = rows.flatMap(([, state = "", reasons = ""]) =>
      [...reasons.matchAll(/`(\w+)`/g)].map(([, reason]) => `${state} ${reason}`),
    );
    const known = Object.entries(stateReasons).flatMap(([state, reasons]) => reasons.map((one) => `${state} ${one}`));
    expect(documented.toSorted()).toEqual(known.toSorted());
  });

  test("its AutoUpdates have the right name, and only fields of the schema", () => {
    const documents = blocks("yaml").flatMap((block) => parseAllDocuments(block).map((one) => one.toJS()));
    const autoUpdates = documents.filter(({ kind }) => kind === "AutoUpdate") as AutoUpdate[];
    expect(autoUpdates).toHaveLength(1);
    for (const { metadata, spec: written } of autoUpdates) {
      expect(metadata.name).toBe(autoUpdateName(written.targetRef));
      const names = Object.keys(written.policy ?? {}).map((field) => `policy.${field}`);
      expect(pathsOf(spec)).toEqual(expect.arrayContaining(names));
    }
  });

  test("shows the columns of kubectl get -o wide", () => {
    const [output = ""] = blocks("console");
    const [, header = ""] = output.split("\n");
    const columns = version.additionalPrinterColumns.map(({ name }: { readonly name: string }) => name.toUpperCase());
    expect(header.split(/ {2,}/)).toEqual(["NAME", ...columns]);
  });
});
