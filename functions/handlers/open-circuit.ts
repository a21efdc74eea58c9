import { circuitOpened } from "../domain/news.ts";
import { lambda, type Task } from "../task.ts";
import { tell } from "../telling.ts";

/** Says that the circuit is open. The rollback before it has written that already, in the patch that counted. */
export const openCircuit: Task<"OpenCircuit"> = async (ports, { workload: ref, image, execution, reason }) => {
  const workload = await ports.cluster.read(ref);
  if (workload?.bookkeeping.circuitOpen) await tell(ports, workload, circuitOpened(workload, image, execution));
  return { kind: "opened", reason };
};

export const handler = lambda(openCircuit);
