import { consequencesOf, isNothing } from "../domain/check-consequences.ts";
import type { Checks } from "../ports/checks.ts";
import type { Ports } from "../task.ts";
import { tell } from "../telling.ts";

/**
 * Writes and tells in this process. It tells only what it could write: of a workload that has changed meanwhile, the next
 * look will say what is true then.
 */
export function checksHere(ports: Pick<Ports, "cluster" | "events" | "now">): Checks {
  return {
    async record(workload, decision) {
      const consequences = consequencesOf(workload, decision, ports.now());
      if (isNothing(consequences)) return "none";
      if (consequences.change !== null) await ports.cluster.change(workload, consequences.change);
      for (const one of consequences.news) await tell(ports, workload, one);
      return "recorded";
    },
  };
}
