import type { PrometheusAddress } from "../../domain/analysis/address.ts";
import { type Bounds, get } from "./get.ts";
import type { Ask } from "./prometheus.ts";

export type Login =
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "basic"; readonly username: string; readonly password: string };

/** `login` is asked for each time, so that it may be rotated; null is nobody. */
export function byUrl(
  { origin, path }: Extract<PrometheusAddress, { kind: "url" }>,
  login: () => Promise<Login | null>,
  bounds: Bounds,
): Ask {
  return async (pathAndQuery) =>
    get(new URL(`${origin}${path}${pathAndQuery}`), { headers: headersOf(await login()) }, bounds);
}

function headersOf(login: Login | null): Record<string, string> {
  if (login === null) return {};
  if (login.kind === "bearer") return { authorization: `Bearer ${login.token}` };
  const { username, password } = login;
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}
