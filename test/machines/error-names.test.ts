import { expect, test } from "vitest";
import * as errors from "../../functions/ports/errors.ts";
import { readMachine } from "./asl-files.ts";
import { recordsIn, statesOf, stringsIn } from "./lint/definition.ts";

/** Errors of the AWS SDK, by which Pawl cannot get credentials or may not use what it is configured with. */
const ofTheSdk = ["CredentialsProviderError", "AccessDeniedException"];
const declared = new Set([...Object.keys(errors), ...ofTheSdk]);

test.for(["workload-update", "node-pool-rollout"])(
  "every error name of Pawl in %s is declared in ports/errors.ts",
  (name) => {
    const lists = statesOf(readMachine(name), "Task").flatMap(([, state]) => [
      ...recordsIn(state["Retry"]),
      ...recordsIn(state["Catch"]),
    ]);
    const names = new Set(lists.flatMap((list) => stringsIn(list["ErrorEquals"])));
    const own = [...names].filter((error) => !error.includes("."));
    expect(own).toEqual(expect.arrayContaining(["Conflict", "Throttled", "Unreachable"]));
    expect(own.filter((error) => !declared.has(error))).toEqual([]);
  },
);
