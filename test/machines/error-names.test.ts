import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as errors from "../../functions/ports/errors.ts";

/** Errors of the AWS SDK, by which Pawl cannot get credentials or may not use what it is configured with. */
const ofTheSdk = ["CredentialsProviderError", "AccessDeniedException"];
const declared = new Set([...Object.keys(errors), ...ofTheSdk]);

test.for(["workload-update", "node-pool-rollout"])(
  "every error name of Pawl in %s is declared in ports/errors.ts",
  (name) => {
    const definition = readFileSync(new URL(`../../state-machines/${name}.asl.json`, import.meta.url), "utf8");
    const lists = [...definition.matchAll(/"ErrorEquals": \[([^\]]*)\]/g)].map(([, list]) => list ?? "");
    const names = new Set(lists.flatMap((list) => [...list.matchAll(/"([^"]+)"/g)].map(([, error]) => error ?? "")));
    const own = [...names].filter((error) => !error.includes("."));
    expect(own).toEqual(expect.arrayContaining(["Conflict", "Throttled", "Unreachable"]));
    expect(own.filter((error) => !declared.has(error))).toEqual([]);
  },
);
