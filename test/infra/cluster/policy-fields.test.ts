import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { PolicyField } from "../../../functions/domain/workload/policy/policy-field.ts";
import { policyFields } from "../../../functions/domain/workload/policy/policy-table.ts";
import { clusterFolder } from "./manifests.ts";

interface Schema {
  readonly type: string;
  readonly description: string;
  readonly maxLength?: number;
  readonly items?: { readonly type: string };
  readonly properties?: Readonly<Record<string, Schema>>;
}

const definition = parse(readFileSync(join(clusterFolder, "crds", "auto-update.yaml"), "utf8"));
const policy: Schema = definition.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.policy;
const { digest, ...others } = policy.properties ?? {};
const schemas: Readonly<Record<string, Schema | undefined>> = {
  "": policy,
  ...others,
  digest,
  ...Object.fromEntries(Object.entries(digest?.properties ?? {}).map(([name, schema]) => [`digest.${name}`, schema])),
};
const fields = policyFields.flatMap(([, field]) => (field.path === null ? [] : [{ ...field, path: field.path }]));

test("spec.policy of the CRD has the fields of the table, and no other", () => {
  expect(new Set(Object.keys(schemas))).toEqual(new Set(fields.map(({ path }) => path)));
});

const types: Readonly<Record<PolicyField["type"], readonly string[]>> = {
  string: ["string"],
  integer: ["integer"],
  boolean: ["boolean"],
  list: ["array"],
  json: ["array", "object"],
  presence: ["object"],
};

test.for(fields)("spec.policy.$path has the type, the maximum length and the description of its row", (field) => {
  const schema = schemas[field.path];
  expect(schema?.description).toBe(field.description);
  expect(types[field.type]).toContain(schema?.type);
  expect(schema?.maxLength).toBe(field.type === "string" ? field.maxLength : undefined);
  expect(field.type !== "list" || schema?.items?.type === "string").toBe(true);
});
