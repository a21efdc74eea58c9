import { expect, test } from "vitest";
import { parseTarget } from "../../../functions/workflows/workload-update/start-update.ts";
import { digest } from "../../support/digest-workloads.ts";
import { restartStep, step } from "../../handlers/steps.ts";

test.for([
  { when: "an update", input: step, isRestart: false, digests: null },
  { when: "a restart", input: restartStep, isRestart: true, digests: { app: digest(2) } },
  {
    when: "a canary",
    input: { ...step, strategy: "canary", digests: `app:${digest(2)}` },
    isRestart: false,
    digests: { app: digest(2) },
  },
  {
    when: "an execution that was started without digests",
    input: { ...step, digests: undefined },
    isRestart: false,
    digests: null,
  },
] as const)("$when", ({ input, isRestart, digests }) => {
  expect(parseTarget(input as typeof step)).toEqual({ image: input.image, isRestart, digests });
});
