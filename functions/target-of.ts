import type { StepInput } from "./contract.ts";
import type { Target } from "./domain/bookkeeping.ts";
import { parseDigests } from "./domain/digests.ts";

/** What an execution is to bring about. */
export function targetOf({ image, strategy, digests }: StepInput): Target {
  return { image, isRestart: strategy === "restart", digests: digests ? parseDigests(digests) : null };
}
