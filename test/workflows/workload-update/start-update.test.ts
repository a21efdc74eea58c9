import { expect, test } from "vitest";
import { readStart } from "../../../functions/workflows/workload-update/start-update.ts";
import { digest } from "../../support/digest-workloads.ts";
import { restartStep, step } from "../../handlers/steps.ts";

test.for([
  { when: "an update", input: step, digests: null },
  { when: "a restart", input: restartStep, digests: { app: digest(2) } },
  {
    when: "a canary",
    input: { ...step, strategy: "canary", digests: `app:${digest(2)}` },
    digests: { app: digest(2) },
  },
  {
    when: "an execution that was started without digests",
    input: { ...step, digests: undefined },
    digests: null,
  },
] as const)("$when", ({ input, digests }) => {
  expect(readStart(input as typeof step)).toEqual({ target: input.target, digests });
});
