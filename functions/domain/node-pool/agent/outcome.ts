/** The commands of a node without a daemon; nothing else can be run on it. */
export type Action = "status" | "stage" | "apply" | "apply-soft";

export interface NodeCommand {
  readonly action: Action;
  /** By digest; "" for "status". */
  readonly image: string;
}

/** "unreachable": nothing was sent, for there is nobody to receive it. */
export type Sent =
  | { readonly kind: "sent"; readonly id: string }
  | { readonly kind: "unreachable"; readonly reason: string };

/** What became of a command that was sent. */
export type Outcome =
  /** It waits to be taken up by its node, or is being run there. */
  | { readonly kind: "running" }
  /** Its node never took it up. */
  | { readonly kind: "unreachable"; readonly reason: string }
  /** Nobody knows of it: it was sent just now, or far too long ago. */
  | { readonly kind: "unknown" }
  /** `problem` is null where it succeeded. The output is what `bootc status` says, also of one that failed. */
  | { readonly kind: "ended"; readonly output: string; readonly problem: string | null };
