import { isCancelled, isRecorded } from "../domain/work-done.ts";
import { claimOf } from "../domain/claim.ts";
import { givenUp } from "../domain/given-up.ts";
import { takeBack } from "../taking-back.ts";
import { lambda, type Task } from "../task.ts";
import { tell } from "../telling.ts";

/** Restores what ran before and counts the failure against the version that was tried. */
export const rollBack: Task<"RollBack"> = async (ports, input) => {
  const { workload: ref, image, execution, verdict, reason } = input;
  const claim = claimOf(await ports.cluster.read(ref), execution, image);
  if (claim.kind === "held") await takeBack(ports, claim, reason, verdict === "abort");
  const after = await ports.cluster.read(ref);
  const isOver =
    after !== null && (isRecorded(after, image, "RolledBack") || (verdict !== "error" && isCancelled(after, image)));
  if (!isOver) {
    if (verdict === "error") return { kind: "not-applied", reason };
    return { kind: "superseded", reason: claim.kind === "lost" ? claim.reason : "the workload has changed" };
  }
  await tell(ports, after, givenUp(after, image, execution, reason));
  return { kind: after.policy.enabled && after.bookkeeping.circuitOpen ? "tripped" : "rolled-back", reason };
};

export const handler = lambda(rollBack);
