import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";

/**
 * Verifies by the rules of the deployment who has signed the image of an update. A registry that does not answer delays no update that is in
 * flight already: its steps write no image then, and continue to check it.
 */
export const verifyImage: Task<"VerifyImage"> = async (
  { verifier },
  { workload, target, adopting, step = "begun" },
) => {
  try {
    return await verifier.verify(workload, target);
  } catch (error) {
    const isInFlight = adopting || step !== "begun";
    if (!isInFlight || !(error instanceof Error)) throw error;
    return { kind: "unknown", digest: null, reason: `cannot tell who signed the image: ${error.message}` };
  }
};

export const handler = lambda({ verifyImage });
