/** What kind of problem it is. Names of errors say why a registry or the deployment refuses an image. */
export type ProblemCode =
  /** Cannot be parsed, is out of its range, or contradicts another setting. */
  | "InvalidValue"
  /** Its schedule and its windows are never open at once. */
  | "NeverOpens"
  | "TooLong"
  | "UnclearOptIn"
  | "TwoOptIns"
  | "UnknownAnnotation"
  /** What it names does not exist. */
  | "NotFound"
  /** By this kind of workload, or as it is configured. */
  | "NotSupported"
  /** In this deployment. */
  | "NotEnabled"
  | "NotRecordable"
  | "RegistryNotAllowed"
  | "RegistryUnauthorized"
  | "RepositoryNotFound"
  | "NotAnImage";

/** Something that its owner or an operator has to fix. No update starts while there is one. */
export interface Problem {
  /** As its owner writes it: `pawl.dev/schedule`, `spec.policy.schedule`; null if it is about none. */
  readonly field: string | null;
  readonly code: ProblemCode;
  /** For people: what is wrong and how to fix it. Nothing is decided by it. */
  readonly text: string;
}

/** Creates a problem of a field, with the value if it is given. */
export function fieldProblem(field: string, code: ProblemCode, reason: string, value?: string): Problem {
  return { field, code, text: `${field}${value === undefined ? "" : ` "${value}"`}: ${reason}` };
}

/** Describes problems for people, in one line. */
export function describeProblems(problems: readonly Problem[]): string {
  return problems.map(({ text }) => text).join("; ");
}
