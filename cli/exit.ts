export const exitCodes = {
  done: 0,
  nothing: 1,
  wrongInput: 2,
  cannotReach: 3,
  /** A bug; `EX_SOFTWARE` of sysexits.h. */
  broken: 70,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What was asked for cannot be understood or cannot be meant: exit code 2. */
export class WrongInput extends Error {
  override readonly name = "WrongInput";
}

/** What was asked for does not exist: exit code 1. */
export class NotFound extends Error {
  override readonly name = "NotFound";
}

const byName: ReadonlyMap<string, ExitCode> = new Map([
  ["WrongInput", exitCodes.wrongInput],
  ["DockerConfigInvalid", exitCodes.wrongInput],
  ["SettingsInvalid", exitCodes.wrongInput],
  ["NotFound", exitCodes.nothing],
  ["RepositoryNotFound", exitCodes.nothing],
  ["Conflict", exitCodes.nothing],
  ["TypeError", exitCodes.broken],
  ["RangeError", exitCodes.broken],
  ["ReferenceError", exitCodes.broken],
  ["SyntaxError", exitCodes.broken],
]);

/** What has no name of its own came from outside: a login program that fails, a refusal by the API server. */
export function exitCodeOf(error: unknown): ExitCode {
  return byName.get(error instanceof Error ? error.name : "") ?? exitCodes.cannotReach;
}
