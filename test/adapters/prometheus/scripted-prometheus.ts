import type { ServerResponse } from "node:http";
import { json, type ReceivedRequest } from "../oci-registry/scripted-server.ts";

/** Response bodies of Prometheus 2.42, by query. */
const results: Readonly<Record<string, readonly [type: string, result: unknown]>> = {
  "vector(0.25)": vector("0.25"),
  "vector(1e-7)": vector("1e-07"),
  "vector(-3)": vector("-3"),
  "scalar(vector(0.5))": ["scalar", [1, "0.5"]],
  "0 / 0": ["scalar", [1, "NaN"]],
  "vector(0) / vector(0)": vector("NaN"),
  "vector(1) / vector(0)": vector("+Inf"),
  "vector(-1) / vector(0)": vector("-Inf"),
  missing_metric_total: vector(),
  "vector(0.001) > 0.01": vector(),
  [`vector(1) or label_replace(vector(2), "a", "b", "", "")`]: vector("1", "2"),
  [`label_replace(vector(7), "a", "é +%&#?!'()*/", "", "")`]: vector("7"),
  "up[1m]": ["matrix", []],
  '"text"': ["string", [1, "text"]],
};

/** Responds to an instant query under the prefix as Prometheus does, and with 404 to any other path. */
export function respondAsPrometheus({ path, method }: ReceivedRequest, response: ServerResponse, prefix = ""): void {
  const url = new URL(path, "http://prometheus");
  const query = url.searchParams.get("query") ?? "";
  const time = url.searchParams.get("time");
  const known: readonly [string, unknown] | undefined =
    query === "time()" ? ["scalar", [Number(time), time]] : results[query];
  if (method !== "GET" || url.pathname !== `${prefix}/api/v1/query`) response.writeHead(404).end("404 page not found");
  else if (known === undefined) {
    const error = `invalid parameter "query": 1:1: parse error: ${query === "" ? "no expression found" : "unexpected"}`;
    json(response, { status: "error", errorType: "bad_data", error }, {}, 400);
  } else json(response, { status: "success", data: { resultType: known[0], result: known[1] } });
}

function vector(...values: readonly string[]): readonly [string, unknown] {
  return ["vector", values.map((value, index) => ({ metric: { n: `${index}` }, value: [1, value] }))];
}
