import { fields, nullable, text } from "../input.ts";
import { pollCluster } from "../polling/poll-cluster.ts";
import { follows, type Pushed } from "../polling/pushed-to.ts";
import type { PollReport } from "../polling/report.ts";
import { restInput } from "../polling/rest-input.ts";
import type { PollRest } from "../ports/polls.ts";
import { type Invocation, lambdaOf, type Ports } from "../task.ts";

/** What the schedule sends is the cluster alone; `rest` comes from the poll itself, all else from a push to a repository of ECR. */
export interface PollInput extends Partial<Pushed> {
  readonly cluster: string;
  /** A hint for who reads the log: what is applied is what the registry lists and the workload's own policy admits. */
  readonly tag?: string;
  readonly rest?: PollRest | null;
}

const part = nullable(text);
export const pollInput = fields({
  cluster: text,
  repository: part,
  registry: part,
  region: part,
  tag: part,
  rest: nullable(restInput),
});

/**
 * Looks at every workload; after a push, at once at those that follow the repository. A push does not override a
 * workload's own schedule: its owner asked for that window, and the poll within it finds the tag.
 */
export async function poll(ports: Ports, input: PollInput, invocation: Partial<Invocation> = {}): Promise<PollReport> {
  const { repository, rest, ...pushed } = input;
  if (!repository) return pollCluster(ports, rest ? { ...invocation, rest } : invocation);
  return pollCluster(ports, { ...invocation, wanted: (workload) => follows(workload, { ...pushed, repository }) });
}

export const handler = lambdaOf(pollInput, poll);
