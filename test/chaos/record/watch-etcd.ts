import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";

/** One write of an object to etcd. */
export interface StoredWrite {
  /** `/registry/deployments/namespace/name`. */
  readonly key: string;
  /** Of all of etcd: the order of all writes. */
  readonly revision: number;
  /** null if the object was deleted. */
  readonly object: unknown;
}

interface WatchResponse {
  readonly result?: {
    readonly canceled?: boolean;
    readonly events?: readonly {
      readonly type?: "DELETE";
      readonly kv: { readonly key: string; readonly mod_revision: string; readonly value?: string };
    }[];
  };
}

/**
 * Watches everything that the API server stores, as JSON and from the start. Unlike a watch of the API server it misses no write, also
 * while the API server is down. Resolves if the watch is open; the result closes it.
 * https://etcd.io/docs/v3.4/dev-guide/api_grpc_gateway/
 */
export async function watchEtcd(url: string, onWrite: (write: StoredWrite) => void): Promise<() => void> {
  const create = { key: encode("/registry/"), range_end: encode("/registry0"), start_revision: "1" };
  const watch = request(`${url}/v3/watch`, { method: "POST" });
  watch.end(JSON.stringify({ create_request: create }));
  const [response] = (await once(watch, "response")) as [IncomingMessage];
  const lines = createInterface({ input: response }).on("line", (line) => {
    for (const write of parseWrites(line)) onWrite(write);
  });
  for (const stream of [watch, response, lines]) stream.on("error", () => {}); // it was closed
  return () => void watch.destroy();
}

/** Parses a line of the response. Throws if etcd canceled the watch: writes would be missing. */
export function parseWrites(line: string): readonly StoredWrite[] {
  const { result } = JSON.parse(line) as WatchResponse;
  if (result === undefined || result.canceled) throw new Error(`etcd canceled the watch: ${line.slice(0, 500)}`);
  return (result.events ?? []).map(({ type, kv }) => ({
    key: decode(kv.key),
    revision: Number(kv.mod_revision),
    object: type === "DELETE" ? null : parseObject(decode(kv.value ?? "")),
  }));
}

/** Not all that the API server stores is JSON. */
function parseObject(text: string): unknown {
  return text.startsWith("{") ? (JSON.parse(text) as unknown) : {};
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}

function decode(text: string): string {
  return Buffer.from(text, "base64").toString();
}
