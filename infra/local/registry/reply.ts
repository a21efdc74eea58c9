export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless the headers say otherwise. */
  readonly body: string;
}

/** An error as the OCI distribution API words it. */
export function refusal(status: number, code: string, message: string): Reply {
  return { status, body: JSON.stringify({ errors: [{ code, message }] }) };
}
