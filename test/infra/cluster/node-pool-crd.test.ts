import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
}

/** Returns the path of each text without a maximum length, and of each list without a maximum number of items. */
function unbounded(schema: Schema, path: string): readonly string[] {
  const { properties = {}, additionalProperties, items } = schema;
  const isText = schema.type === "string" || schema["x-kubernetes-int-or-string"] === true;
  return [
    ...(isText && schema.enum === undefined && schema.maxLength === undefined ? [path] : []),
    ...(schema.type === "array" && schema.maxItems === undefined ? [path] : []),
    ...Object.entries(properties).flatMap(([name, property]) => unbounded(property, `${path}.${name}`)),
    ...(additionalProperties === undefined ? [] : unbounded(additionalProperties, `${path}.*`)),
    ...(items === undefined ? [] : unbounded(items, `${path}[]`)),
  ];
}

test("every value of the spec of a BootcNodePool has a maximum length", () => {
  const file = new URL("../../../infra/cluster/node-pools/crds/bootc-node-pool.yaml", import.meta.url);
  const crd = parse(readFileSync(file, "utf8")) as {
    readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
  };
  const [version] = crd.spec.versions;
  const spec = version?.schema.openAPIV3Schema.properties?.["spec"] ?? {};
  expect(Object.keys(spec.properties ?? {})).toContain("image");
  expect(unbounded(spec, "spec")).toEqual([]);
});
