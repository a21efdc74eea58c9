import { expect, test } from "vitest";
import { targetOf } from "../../functions/target-of.ts";
import { digest } from "../support/followed.ts";
import { restartStep, step } from "../handlers/steps.ts";

test.for([
  { of: "an update", input: step, isRestart: false, digests: null },
  { of: "a restart", input: restartStep, isRestart: true, digests: { app: digest(2) } },
  {
    of: "a canary",
    input: { ...step, strategy: "canary", digests: `app:${digest(2)}` },
    isRestart: false,
    digests: { app: digest(2) },
  },
  {
    of: "what was started before digests were known",
    input: { ...step, digests: undefined },
    isRestart: false,
    digests: null,
  },
] as const)("$of", ({ input, isRestart, digests }) => {
  expect(targetOf(input as typeof step)).toEqual({ image: input.image, isRestart, digests });
});
