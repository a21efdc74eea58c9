import { writeFileSync } from "node:fs";
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type { JsonSchemaPart } from "../../functions/domain/text/schema.ts";
import { configSchema } from "./schema.ts";

/** Returns the JSON Schema of the configuration as people write it. */
export function configJsonSchema(): JsonSchema {
  return toJsonSchema(configSchema, {
    typeMode: "input",
    errorMode: "ignore",
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === "object_with_rest" ? { ...jsonSchema, additionalProperties: false } : jsonSchema,
    overrideAction: ({ valibotAction, jsonSchema }) => {
      const { jsonSchema: part = {} } = valibotAction as { readonly jsonSchema?: JsonSchemaPart };
      return { ...jsonSchema, ...part };
    },
  });
}

if (import.meta.main) {
  writeFileSync(new URL("pawl.schema.json", import.meta.url), `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
}
