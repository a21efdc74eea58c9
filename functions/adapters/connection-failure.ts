/** What the codes of the system, of Node.js and of undici mean. */
const meanings = [
  [/CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/, "its certificate is not trusted"],
  [/ERR_SSL|EPROTO/, "it does not speak TLS"],
  [/ENOTFOUND|EAI_AGAIN/, "its name does not resolve"],
  [/ECONNREFUSED/, "connection refused, nothing listens there"],
  [/ETIMEDOUT|CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH/, "it is not reachable"],
  [/^HPE_/, "it does not speak HTTP"],
] as const;

/** Returns what the code of a failed connection says about the other side; null if nothing. */
export function describeConnectionCode(code: string): string | null {
  return meanings.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** Describes why there was no response. The error is that of a request, or its cause. */
export function describeConnectionFailure(error: unknown): string {
  if (!(error instanceof Error)) return "the connection failed";
  if (error.name === "TimeoutError" || error.name === "AbortError") return "no answer in time";
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  if (code !== null) return `${code}: ${describeConnectionCode(code) ?? "the connection was closed"}`;
  return error.cause instanceof Error ? describeConnectionFailure(error.cause) : "the response is not complete";
}
