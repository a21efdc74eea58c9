/** The commands for a node without a daemon; nothing else can be run on it. */
export type CommandAction = "status" | "stage" | "apply" | "apply-soft";

export interface NodeCommand {
  readonly action: CommandAction;
  /** By digest; "" for "status". */
  readonly image: string;
}

/** "unreachable": nothing was sent, because the instance is not connected. */
export type SendResult =
  | { readonly kind: "sent"; readonly id: string }
  | { readonly kind: "unreachable"; readonly reason: string };

/** The outcome of a command that was sent. */
export type CommandOutcome =
  /** It is pending or running on its node. */
  | { readonly kind: "running" }
  /** Its node never received it. */
  | { readonly kind: "unreachable"; readonly reason: string }
  /** SSM does not know it: it was sent just now, or expired long ago. */
  | { readonly kind: "unknown" }
  /** `problem` is null if it succeeded. The output is that of `bootc status`, even if the command failed. */
  | { readonly kind: "ended"; readonly output: string; readonly problem: string | null };
