import { readFileSync } from "node:fs";
import * as v from "valibot";
import type { VerifyRule } from "../domain/signature/rule.ts";
import { SettingsInvalid } from "./settings.ts";

const key = v.object({
  kind: v.literal("key"),
  name: v.string(),
  publicKey: v.string(),
  transparencyLog: v.picklist(["required", "optional"]),
  trustedRoot: v.unknown(),
});

const keyless = v.object({
  kind: v.literal("keyless"),
  identity: v.string(),
  issuer: v.string(),
  trustedRoot: v.unknown(),
});

const ecr = v.object({ kind: v.literal("ecr"), profiles: v.array(v.string()) });

const rules: v.GenericSchema<unknown, VerifyRule[]> = v.array(
  v.object({
    repositories: v.array(v.string()),
    namespaces: v.nullable(v.array(v.string())),
    mode: v.picklist(["enforce", "warn"]),
    requirements: v.pipe(
      v.array(
        v.object({
          predicateType: v.string(),
          any: v.array(v.variant("kind", [key, keyless, ecr])),
          builder: v.nullable(v.string()),
        }),
      ),
      v.minLength(1),
    ),
  }),
);

/** Reads the rules that the deployment wrote to a file. Throws `SettingsInvalid`: without its rules a function must not verify anything. */
export function readRules(file: string): readonly VerifyRule[] {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), rules), readText(file));
  if (parsed.success) return parsed.output;
  throw new SettingsInvalid(`PAWL_VERIFY_FILE ${file} has no valid rules; deploy the stack again`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
