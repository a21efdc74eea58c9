import type { PrometheusAddress } from "../../domain/analysis/address.ts";
import { type Bounds, get } from "./get.ts";
import type { SendQuery } from "./client.ts";

export type PrometheusLogin =
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "basic"; readonly username: string; readonly password: string };

/** Creates a client of a Prometheus URL. `login` is called for each request, so that it can be rotated; null means none. */
export function createHttpClient(
  { origin, path }: Extract<PrometheusAddress, { kind: "url" }>,
  login: () => Promise<PrometheusLogin | null>,
  bounds: Bounds,
): SendQuery {
  return async (pathAndQuery) =>
    get(new URL(`${origin}${path}${pathAndQuery}`), { headers: authorizationHeaders(await login()) }, bounds);
}

function authorizationHeaders(login: PrometheusLogin | null): Record<string, string> {
  if (login === null) return {};
  if (login.kind === "bearer") return { authorization: `Bearer ${login.token}` };
  const { username, password } = login;
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}
