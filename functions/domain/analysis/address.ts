import { type Invalid, invalid } from "../invalid.ts";

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
  /** `path` goes before `/api/v1/…`: empty, or `/` and more without a `/` at its end. */
  | { readonly kind: "url"; readonly origin: string; readonly path: string }
  /** Amazon Managed Service for Prometheus. */
  | { readonly kind: "amp"; readonly region: string; readonly workspace: string };

const forms = "service://<namespace>/<service>:<port>, https://<host>[:port][/path] or amp://<region>/<workspace>";
const service = /^service:\/\/([a-z0-9][a-z0-9-]{0,62})\/([a-z0-9][a-z0-9-]{0,62}):([a-z0-9-]{1,15})(\/[\w./-]*)?$/;
const amp = /^amp:\/\/([a-z]{2,4}(?:-[a-z]+)+-\d+)\/(ws-[a-z0-9-]{1,60})$/;

/** Reads an address; a problem says which of the three forms was meant and what it lacks. */
export function parseAddress(text: string): PrometheusAddress | Invalid {
  if (text.startsWith("service://")) return parseService(text);
  if (text.startsWith("amp://")) return parseAmp(text);
  if (/^https?:\/\//i.test(text)) return parseUrl(text);
  return invalid(text, `is not the address of a Prometheus: write ${forms}`);
}

/** Writes an address as `parseAddress` reads it. */
export function formatAddress(address: PrometheusAddress): string {
  if (address.kind === "url") return `${address.origin}${address.path}`;
  if (address.kind === "amp") return `amp://${address.region}/${address.workspace}`;
  return `service://${address.namespace}/${address.name}:${address.port}${address.path}`;
}

/**
 * Whether a configuration that allows these addresses allows this one. Of a URL the origin is compared, so that a
 * configuration names hosts and not paths; of the others everything but the path.
 */
export function isAllowed(address: PrometheusAddress, allowed: readonly PrometheusAddress[]): boolean {
  const place = placeOf(address);
  return allowed.some((one) => placeOf(one) === place);
}

function placeOf(address: PrometheusAddress): string {
  return formatAddress(address.kind === "amp" ? address : { ...address, path: "" });
}

function parseService(text: string): PrometheusAddress | Invalid {
  const [whole, namespace = "", name = "", port = "", path = ""] = service.exec(text) ?? [];
  if (whole === undefined) {
    return invalid(text, "does not name a Service: write service://<namespace>/<service>:<port>, port number or name");
  }
  return climbs(path) ?? { kind: "service", namespace, name, port, path: withoutSlash(path) };
}

function parseAmp(text: string): PrometheusAddress | Invalid {
  const [whole, region = "", workspace = ""] = amp.exec(text) ?? [];
  if (whole === undefined) return invalid(text, "does not name a workspace: write amp://eu-west-1/ws-0123abcd-…");
  return { kind: "amp", region, workspace };
}

function parseUrl(text: string): PrometheusAddress | Invalid {
  const url = URL.parse(text);
  if (url === null) return invalid(text, "is not a URL: write https://<host>[:port][/path]");
  if (url.username !== "" || url.password !== "") {
    return invalid(`${url.protocol}//…@${url.host}`, "holds a login: configure it beside the address, not in it");
  }
  if (url.search !== "" || url.hash !== "") return invalid(text, "may not have a query or a fragment");
  return { kind: "url", origin: url.origin, path: withoutSlash(url.pathname) };
}

/** The proxy's own path comes before it: `..` would lead out of the Service. */
function climbs(path: string): Invalid | null {
  return path.split("/").some((part) => /^\.+$/.test(part)) ? invalid(path, "may not have . or .. in it") : null;
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, "");
}
