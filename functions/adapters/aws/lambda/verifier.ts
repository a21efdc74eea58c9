import * as v from "valibot";
import { type VerificationOutcome, verificationOutcome } from "../../../domain/signature/outcome.ts";
import type { Target } from "../../../domain/workload/target/target.ts";
import type { WorkloadRef } from "../../../domain/workload/workload.ts";
import { Unreachable } from "../../../ports/errors.ts";
import type { Verifier } from "../../../ports/verifier.ts";
import { createInvoker, type RecorderFunction } from "./invoke.ts";

interface Options extends RecorderFunction {
  /** The cluster's name. */
  readonly cluster: string;
}

/** Creates a verifier that invokes the function `verify-image`, as the state machine does. */
export function createLambdaVerifier({ cluster, ...options }: Options): Pick<Verifier, "verify"> {
  const invoke = createInvoker(options);
  return {
    async verify(workload: WorkloadRef, target: Target): Promise<VerificationOutcome> {
      const input = { cluster, workload, target, strategy: "rolling", digests: "", adopting: false };
      const parsed = v.safeParse(verificationOutcome, await invoke({ input, execution: "poll" }));
      if (parsed.success) return parsed.output;
      throw new Unreachable(`${options.functionName} returned an unknown result`);
    },
  };
}
