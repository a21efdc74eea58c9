import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { autoUpdateName } from "../../../functions/domain/workload/record/auto-update-name.ts";
import { resource } from "../../../functions/adapters/kubernetes/auto-update/object.ts";
import { clusterFolder } from "./manifests.ts";

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
}

const definition = parse(readFileSync(join(clusterFolder, "crds", "auto-update.yaml"), "utf8"));
const [version] = definition.spec.versions;
const root: Schema = version.schema.openAPIV3Schema;

/** Yields every schema with its path, `spec.policy.canary`; the items of a list have its path and `[]`. */
function* walk(schema: Schema, path = ""): Generator<readonly [path: string, schema: Schema]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* walk(field, path ? `${path}.${name}` : name);
  if (schema.items !== undefined) yield* walk(schema.items, `${path}[]`);
  if (schema.additionalProperties !== undefined) yield* walk(schema.additionalProperties, `${path}{}`);
}

const schemas = [...walk(root)];
const fields = schemas.filter(([path]) => !/[\]}]$/.test(path));

describe("the CustomResourceDefinition of AutoUpdate", () => {
  test("is the resource that the code reads and writes", () => {
    const { group, names, scope, versions } = definition.spec;
    expect({ group, plural: names.plural, kind: names.kind, version: versions[0].name }).toEqual(resource);
    expect({ scope, shortNames: names.shortNames, categories: names.categories }).toEqual({
      scope: "Namespaced",
      shortNames: ["au"],
      categories: ["pawl"],
    });
    expect(version).toMatchObject({ served: true, storage: true, subresources: { status: {} } });
  });

  test("describes every field in sentences, for kubectl explain", () => {
    expect(fields.length).toBeGreaterThan(80);
    const undescribed = fields.filter(([, { description = "" }]) => !/^\S.{7,}\.$/s.test(description));
    expect(undescribed.map(([path]) => path)).toEqual([]);
  });

  test("is a structural schema without unknown fields: every part has a type, but for what is a text or something else", () => {
    const untyped = schemas.filter(([, { type }]) => type === undefined);
    const description = expect.any(String);
    expect(Object.fromEntries(untyped)).toEqual({
      "spec.policy.canarySteps[].size": { description, "x-kubernetes-int-or-string": true },
      "spec.policy.canarySteps[].analysis": { description, "x-kubernetes-preserve-unknown-fields": true },
    });
    for (const [path, schema] of schemas.filter(([, { type }]) => type !== undefined)) {
      expect(schema.type, `type of ${path}`).toMatch(/^(object|array|string|integer|number|boolean)$/);
      expect(schema["x-kubernetes-preserve-unknown-fields"], path).toBeUndefined();
      const contents = schema.properties ?? schema.additionalProperties ?? schema.items;
      expect(contents !== undefined, `contents of ${path}`).toBe(schema.type === "object" || schema.type === "array");
      const required = schema.required ?? [];
      expect(Object.keys(schema.properties ?? {}), `required of ${path}`).toEqual(
        expect.arrayContaining([...required]),
      );
    }
  });

  test("replaces lists as a whole", () => {
    const lists = schemas.filter(([, { type }]) => type === "array");
    expect(lists.length).toBeGreaterThan(5);
    for (const [path, list] of lists) expect(list["x-kubernetes-list-type"], path).toBe("atomic");
  });

  test("has no defaults: an absent field of a policy stays absent", () => {
    expect(schemas.filter(([, schema]) => "default" in schema)).toEqual([]);
    const policies = fields.filter(([path]) => path.startsWith("spec.policy."));
    const undocumented = policies.filter(([, { description = "" }]) => !/[Dd]efault/.test(description));
    expect(undocumented.map(([path]) => path)).toEqual([]);
  });

  test("has the columns of kubectl get", () => {
    const columns = version.additionalPrinterColumns.map(
      ({ name, priority = 0 }: { name: string; priority?: number }) => [name.toUpperCase(), priority],
    );
    expect(columns).toEqual([
      ["STATE", 0],
      ["CURRENT", 0],
      ["AVAILABLE", 0],
      ["MESSAGE", 0],
      ["TARGET", 1],
      ["REASON", 1],
      ["CANDIDATE", 1],
      ["SUSPENDED", 1],
      ["AGE", 1],
    ]);
  });
});

describe("the name of an AutoUpdate", () => {
  test.for([
    { kind: "Deployment", name: "web", expected: "deployment-web" },
    { kind: "CronJob", name: "nightly.backup", expected: "cronjob-nightly.backup" },
  ])("of $kind $name is $expected", ({ kind, name, expected }) => {
    expect(autoUpdateName({ kind, name })).toBe(expected);
  });

  test.for([
    { kind: "Deployment", name: "a".repeat(242) },
    { kind: "Deployment", name: "a".repeat(243) },
    { kind: "StatefulSet", name: "a".repeat(253) },
    { kind: "DaemonSet", name: `${"a".repeat(231)}.-${"b".repeat(20)}` },
    { kind: "CronJob", name: `${"a".repeat(230)}${"-".repeat(10)}${"b".repeat(13)}` },
  ])("of a $kind with a long name is a valid name of at most 253 characters", (target) => {
    const name = autoUpdateName(target);
    expect(name.length).toBeLessThanOrEqual(253);
    expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
    expect(name).not.toBe(autoUpdateName({ ...target, name: target.name.replace(/.$/, "c") }));
  });
});
