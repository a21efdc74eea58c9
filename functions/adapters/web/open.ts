import { valueAt } from "../../domain/analysis/providers/json-path.ts";
import { loginProblem, parseAddress } from "../../domain/analysis/providers/prometheus-address.ts";
import type { WebQuery } from "../../domain/analysis/providers/web.ts";
import { QueryRejected, Unreachable } from "../../ports/errors.ts";
import type { MetricProvider } from "../../ports/metric-provider.ts";
import type { MetricProviderAccess } from "../metric-provider-access.ts";
import { readAnswer } from "../prometheus/client.ts";
import { type Bounds, defaultBounds } from "../prometheus/get.ts";
import { createHttpClient } from "../prometheus/http.ts";

const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Opens the JSON at a URL, without a request. It has the value of now only. Throws `QueryRejected` if its login would not be encrypted. */
export async function openWeb(
  url: string | null,
  { login, now }: MetricProviderAccess,
  bounds: Bounds = defaultBounds,
): Promise<MetricProvider> {
  const address = parseAddress(url ?? "");
  if (address.kind !== "url") throw new QueryRejected(`${url} is not a URL`, null);
  const problem = login && loginProblem(address);
  if (problem !== null) throw new QueryRejected(problem, null);
  // Unlike that of a Prometheus, the path may end with a slash.
  const send = createHttpClient({ ...address, path: new URL(`${url}`).pathname }, login, bounds);
  return {
    async query(text) {
      const { parameters, times, path } = JSON.parse(text) as WebQuery;
      const seconds = Math.floor(now().getTime() / 1000);
      const search = new URLSearchParams(parameters);
      for (const [name, before] of times) search.append(name, String(seconds - before));
      const document = readAnswer(await send(search.size === 0 ? "" : `?${search.toString()}`), `${url}`, now());
      if (document === undefined) throw new Unreachable(`${url}: the response is not JSON`);
      const value = valueAt(document, path);
      const reading = { at: now(), warnings: [] };
      if (value === undefined || value === null)
        return { ...reading, kind: "none", reason: `the answer has no value at ${describe(path)}` };
      if (typeof value === "number" || (typeof value === "string" && decimal.test(value)))
        return { ...reading, kind: "value", value: Number(value) };
      const what = Array.isArray(value) ? "a list" : typeof value;
      throw new QueryRejected(`${url}: ${describe(path)} is ${what}; a number is required`, 200);
    },
  };
}

function describe(path: WebQuery["path"]): string {
  return `$${path.map((key) => `[${JSON.stringify(key)}]`).join("")}`;
}
