import type { NodeCommand, CommandOutcome, SendResult } from "../domain/node-pool/agent/outcome.ts";

/**
 * Commands that run on the machines of nodes, each addressed by its instance id (`i-0123456789abcdef0`). Every method
 * may throw `Unreachable` (the service does not answer), `Throttled` or `Forbidden`.
 */
export interface Commands {
  /** Sends a command and does not wait for it. A command that is sent twice runs twice. */
  send(instance: string, command: NodeCommand): Promise<SendResult>;

  /** Returns the outcome of a command, by the id that `send` returned. */
  result(instance: string, id: string): Promise<CommandOutcome>;
}
