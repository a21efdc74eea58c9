import type { PrometheusAddress } from "../../domain/analysis/providers/prometheus-address.ts";
import { QueryRejected } from "../../ports/errors.ts";
import { type Bounds, get, withFix } from "./get.ts";
import type { MetricLogin } from "../metric-provider-access.ts";
import type { SendQuery } from "./client.ts";
import { parseLogin } from "./login.ts";

/** Creates a client of a URL. A login that is refused is read again, and used if it has changed. */
export function createHttpClient(
  { origin, path }: Extract<PrometheusAddress, { kind: "url" }>,
  login: MetricLogin | null,
  bounds: Bounds,
): SendQuery {
  const send = (pathAndQuery: string, headers: Record<string, string>) =>
    get(new URL(`${origin}${path}${pathAndQuery}`), { headers }, bounds);
  if (login === null) return async (pathAndQuery) => withFix(await send(pathAndQuery, {}), fixWithoutLogin);
  const sendWith = (text: string, pathAndQuery: string) => send(pathAndQuery, parseLogin(text, login.source));
  return async (pathAndQuery) => {
    const text = await readLogin(login);
    const response = await sendWith(text, pathAndQuery);
    if (response.status !== 401) return withFix(response, fixWithLogin(login.source));
    login.forget(text);
    const next = await readLogin(login);
    return withFix(next === text ? response : await sendWith(next, pathAndQuery), fixWithLogin(login.source));
  };
}

const noLogin =
  "no login is configured for it; add secretArn to its address in the configuration (pawl local: --metric-login)";
const fixWithoutLogin = { 401: noLogin, 403: noLogin };

function fixWithLogin(source: string) {
  return { 401: `correct the login in ${source}`, 403: `let the login in ${source} query, or use another one` };
}

/** A secret that is not readable is a matter of its owner, as a login that is refused. */
async function readLogin(login: MetricLogin): Promise<string> {
  return login.get().catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== "SecretUnreadable") throw error;
    throw new QueryRejected(error.message, null, { cause: error });
  });
}
