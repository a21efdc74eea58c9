import { pollCluster } from "../polling/poll-cluster.ts";
import { lambda } from "../task.ts";

/** What the schedule sends: which cluster to look at. */
export interface PollInput {
  readonly cluster: string;
}

export const handler = lambda<PollInput, unknown>((ports) => pollCluster(ports));
