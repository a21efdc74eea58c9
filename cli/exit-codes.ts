export const exitCodes = {
  ok: 0,
  noMatch: 1,
  invalidInput: 2,
  unreachable: 3,
  /** As of `timeout` of coreutils. */
  timeout: 124,
  /** A bug: `EX_SOFTWARE` of sysexits.h. */
  internalError: 70,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An argument, option or file is invalid: exit code 2. */
export class InvalidInput extends Error {
  override readonly name = "InvalidInput";
}

/** The named object does not exist: exit code 1. */
export class NotFound extends Error {
  override readonly name = "NotFound";
}

const exitCodesByError: ReadonlyMap<string, ExitCode> = new Map([
  ["InvalidInput", exitCodes.invalidInput],
  ["DockerConfigInvalid", exitCodes.invalidInput],
  ["SettingsInvalid", exitCodes.invalidInput],
  ["NotFound", exitCodes.noMatch],
  ["RepositoryNotFound", exitCodes.noMatch],
  ["Conflict", exitCodes.noMatch],
  ["TypeError", exitCodes.internalError],
  ["RangeError", exitCodes.internalError],
  ["ReferenceError", exitCodes.internalError],
  ["SyntaxError", exitCodes.internalError],
]);

/** Returns the exit code of an error. Unknown names are external errors: a login program that fails, or the API server. */
export function exitCodeOf(error: unknown): ExitCode {
  return exitCodesByError.get(error instanceof Error ? error.name : "") ?? exitCodes.unreachable;
}
