import { splitName } from "./cluster-name.ts";

/** What the page can ask for, besides reading. */
export const verbs = ["pause", "resume", "promote", "abort", "reset", "retry", "restart", "push", "rollback"] as const;

export type Verb = (typeof verbs)[number];

export interface Action {
  readonly verb: Verb;
  /** `deployment/shop/web`, or `bootcnodepool/workers`. */
  readonly target: string;
  /** The version of a push, the release of a rollback, or `full` of a promotion; null if there is none. */
  readonly argument: string | null;
}

/** How an action ended, or what happens next. */
export interface ActionResult {
  readonly isRefused: boolean;
  /** A sentence for people. */
  readonly message: string;
}

/** Returns the command that does the same. The context of a kubeconfig may have another name than its cluster here. */
export function commandOf(action: Action): string {
  const { cluster, name } = splitName(action.target);
  const command = commandIn({ ...action, target: name });
  return cluster === null ? command : `${command} --context ${cluster}`;
}

function commandIn({ verb, target, argument }: Action): string {
  if (argument === null) return `pawl ${verb} ${target}`;
  if (verb === "promote") return `pawl promote ${target} --full`;
  return verb === "rollback" ? `pawl rollback ${target} --to ${argument}` : `pawl ${verb} ${target} ${argument}`;
}

/** In characters, as of a tag. */
const maxArgumentLength = 128;

/** Parses the body of a request; null if it is no action. */
export function parseAction(text: string): Action | null {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof given !== "object" || given === null) return null;
  const { verb, target, argument = null } = given as Record<string, unknown>;
  const known = verbs.find((one) => one === verb);
  if (known === undefined || typeof target !== "string") return null;
  if (argument !== null && (typeof argument !== "string" || !isArgumentOf(known, argument))) return null;
  return known === "push" && argument === null ? null : { verb: known, target, argument };
}

function isArgumentOf(verb: Verb, argument: string): boolean {
  if (verb === "promote") return argument === "full";
  if (verb === "rollback") return /^\d{1,6}$/.test(argument);
  return verb === "push" && /^\S+$/.test(argument) && argument.length <= maxArgumentLength;
}
