import { statusOf } from "../domain/node-pool/status.ts";
import { answerOf, superseded } from "../rolling/answer.ts";
import { claimedPool } from "../rolling/claim.ts";
import { lookAt } from "../rolling/look.ts";
import { takeSteps } from "../rolling/take-steps.ts";
import { tellOfNodes } from "../rolling/tell.ts";
import { writeStatus } from "../rolling/write-status.ts";
import { poolLambda, type PoolTask } from "../task.ts";

/** Brings every node of a pool as far as it goes without its pods, and says where the pool stands. */
export const stepNodes: PoolTask<"StepNodes"> = async (ports, input, { outOfTime } = {}) => {
  const claim = await claimedPool(ports, input);
  if (claim.kind === "lost") return superseded(claim.reason, input.ticks);
  const read = { ...claim, nodes: await ports.nodePools.nodes("whole"), resolution: null };
  const look = await lookAt(ports, read);
  const tick = await takeSteps(ports, look, read, outOfTime);
  await tellOfNodes(ports, claim.pool, tick, outOfTime);
  await writeStatus(ports, claim.pool, statusOf(tick, look.secretProblem), input.execution);
  return answerOf(tick, input);
};

export const handler = poolLambda(stepNodes);
