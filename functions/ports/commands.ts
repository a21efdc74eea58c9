import type { NodeCommand, Outcome, Sent } from "../domain/node-pool/agent/outcome.ts";

/**
 * Commands that are run on the machines of nodes, each by the id of its instance (`i-0123456789abcdef0`).
 * Every method may throw `Unreachable` (the service does not answer), `Throttled` or `Forbidden`.
 */
export interface Commands {
  /** Hands a command over and does not wait for it. What is sent twice is run twice. */
  send(instance: string, command: NodeCommand): Promise<Sent>;

  /** What became of a command, by the id that it got when it was sent. */
  result(instance: string, id: string): Promise<Outcome>;
}
