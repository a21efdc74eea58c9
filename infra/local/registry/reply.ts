export interface RegistryResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless the headers contain another content type. */
  readonly body: string;
}

/** Returns an error response of the OCI distribution API. */
export function errorResponse(status: number, code: string, message: string): RegistryResponse {
  return { status, body: JSON.stringify({ errors: [{ code, message }] }) };
}
