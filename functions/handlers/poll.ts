import { fields, nullable, text } from "../input.ts";
import { pollCluster, type PollReport } from "../polling/poll-cluster.ts";
import { follows, type Pushed } from "../polling/pushed-to.ts";
import { lambdaOf, type Ports } from "../task.ts";

/** What the schedule sends is the cluster alone; the rest comes from a push to a repository of ECR. */
export interface PollInput extends Partial<Pushed> {
  readonly cluster: string;
  /** A hint for who reads the log: what is applied is what the registry lists and the workload's own policy admits. */
  readonly tag?: string;
}

const part = nullable(text);
const rule = fields({ cluster: text, repository: part, registry: part, region: part, tag: part });

/**
 * Looks at every workload; after a push, at once at those that follow the repository. A push does not override a
 * workload's own schedule: its owner asked for that window, and the poll within it finds the tag.
 */
export async function poll(ports: Ports, { repository, ...pushed }: PollInput): Promise<PollReport> {
  if (!repository) return pollCluster(ports);
  return pollCluster(ports, (workload) => follows(workload, { ...pushed, repository }));
}

export const handler = lambdaOf(rule, poll);
