import { trimEnd } from "../../text/trim-end.ts";
import { type ParseError, invalid } from "../../text/parse-error.ts";

/** Where a Prometheus is. */
export type PrometheusAddress =
  /** A Service, reached through the API server's proxy. `port` is a number or a port's name. */
  | {
      readonly kind: "service";
      readonly namespace: string;
      readonly name: string;
      readonly port: string;
      readonly path: string;
    }
  /** `path` precedes `/api/v1/…`: empty, or `/…` without a trailing `/`. */
  | { readonly kind: "url"; readonly origin: string; readonly path: string }
  /** Amazon Managed Service for Prometheus. */
  | { readonly kind: "amp"; readonly region: string; readonly workspace: string };

const forms = "service://<namespace>/<service>:<port>, https://<host>[:port][/path] or amp://<region>/<workspace>";
const service = /^service:\/\/([a-z0-9][a-z0-9-]{0,62})\/([a-z0-9][a-z0-9-]{0,62}):([a-z0-9-]{1,15})(\/[\w./-]*)?$/;
const amp = /^amp:\/\/([a-z]{2,4}(?:-[a-z]+)+-\d+)\/(ws-[a-z0-9-]{1,60})$/;

/** Parses an address. A problem names the expected one of the three forms, and what is missing. */
export function parseAddress(text: string): PrometheusAddress | ParseError {
  if (text.startsWith("service://")) return parseService(text);
  if (text.startsWith("amp://")) return parseAmp(text);
  if (/^https?:\/\//i.test(text)) return parseUrl(text);
  return invalid(text, `is not the address of a Prometheus; use ${forms}`);
}

/** Formats an address so that `parseAddress` accepts it. */
export function formatAddress(address: PrometheusAddress): string {
  if (address.kind === "url") return `${address.origin}${address.path}`;
  if (address.kind === "amp") return `amp://${address.region}/${address.workspace}`;
  return `service://${address.namespace}/${address.name}:${address.port}${address.path}`;
}

/** Returns why an address can have no login; null if it can. */
export function loginProblem(address: PrometheusAddress): string | null {
  if (address.kind !== "url") return `${originOf(address)} has no login: Pawl's own credentials are used; remove it`;
  const { protocol, hostname } = new URL(address.origin);
  if (protocol === "https:" || isLoopback(hostname)) return null;
  return `${address.origin} would receive the login in clear text; use https://, or http:// to 127.0.0.1 or [::1] only`;
}

/** As `URL` normalizes a host. Not the name localhost: its address depends on the resolver. */
function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

/** Returns what a deployment allows: an address without its path. */
export function originOf(address: PrometheusAddress): string {
  return formatAddress(address.kind === "amp" ? address : { ...address, path: "" });
}

function parseService(text: string): PrometheusAddress | ParseError {
  const [whole, namespace = "", name = "", port = "", path = ""] = service.exec(text) ?? [];
  if (whole === undefined) {
    return invalid(text, "does not name a Service; use service://<namespace>/<service>:<port>, port number or name");
  }
  return parentPathProblem(path) ?? { kind: "service", namespace, name, port, path: trimEnd(path, "/") };
}

function parseAmp(text: string): PrometheusAddress | ParseError {
  const [whole, region = "", workspace = ""] = amp.exec(text) ?? [];
  if (whole === undefined) return invalid(text, "does not name a workspace; use amp://eu-west-1/ws-0123abcd-…");
  return { kind: "amp", region, workspace };
}

function parseUrl(text: string): PrometheusAddress | ParseError {
  const url = URL.parse(text);
  if (url === null) return invalid(text, "is not a URL; use https://<host>[:port][/path]");
  if (url.username !== "" || url.password !== "") {
    return invalid(`${url.protocol}//…@${url.host}`, "contains a login; configure it separately from the address");
  }
  if (url.search !== "" || url.hash !== "") return invalid(text, "must not contain a query or a fragment");
  return { kind: "url", origin: url.origin, path: trimEnd(url.pathname, "/") };
}

/** The path of the API server's proxy precedes it, so `..` would leave the Service. */
function parentPathProblem(path: string): ParseError | null {
  return path.split("/").some((part) => /^\.+$/.test(part)) ? invalid(path, "must not contain . or ..") : null;
}
