/** The result of a check. `unknown` is a check that could not be made, for the given reason: nothing is passed by default. */
export type CheckVerdict =
  | { readonly result: "passed"; readonly detail: string }
  | { readonly result: "failed"; readonly detail: string; readonly fix: string }
  | { readonly result: "unknown"; readonly detail: string; readonly fix?: string };

export interface Check {
  readonly name: string;
  /** What it throws makes the check unknown. */
  readonly run: () => Promise<CheckVerdict>;
}

export type CheckReport = { readonly check: string } & CheckVerdict;

/** Makes all checks, one after the other. */
export async function runChecks(checks: readonly Check[]): Promise<readonly CheckReport[]> {
  const reports: CheckReport[] = [];
  for (const { name, run } of checks) {
    const verdict = await run().catch((error: unknown) => unknown(describeError(error)));
    reports.push({ check: name, ...verdict });
  }
  return reports;
}

export function passed(detail: string): CheckVerdict {
  return { result: "passed", detail };
}

export function failed(detail: string, fix: string): CheckVerdict {
  return { result: "failed", detail, fix };
}

export function unknown(detail: string, fix?: string): CheckVerdict {
  return { result: "unknown", detail, ...(fix === undefined ? {} : { fix }) };
}

/** Returns the name and message of an error in one line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message } = error;
  return message === "" || message === name ? name : `${name}: ${message}`;
}

/** Returns the value, or null if the request fails with one of these errors. */
export async function nullOn<Value>(names: readonly string[], request: Promise<Value>): Promise<Value | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof Error && names.includes(error.name)) return null;
    throw error;
  }
}
