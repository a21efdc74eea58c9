import type { Arrival } from "./intercept.ts";

export type Service = "kubernetes" | "github" | "registry" | "prometheus" | "aws" | "function";

/** An external call of a function, without what differs from run to run. */
export interface ExternalCall {
  readonly service: Service;
  /** The function that makes it, and the request: `ApplyUpdate: PATCH deployments/web`. */
  readonly name: string;
  /** Whether it changes an object. */
  readonly isWrite: boolean;
  /** The path of the one object that it is about; null for a list, a creation and other services. */
  readonly object: string | null;
  /** Whether it lasts as long as another function runs. */
  readonly isInvocation: boolean;
}

/** Describes a request that `caller` sent. */
export function describeRequest(caller: string, arrival: Arrival): ExternalCall {
  const service = serviceOf(arrival);
  const [request, object] = service === "kubernetes" ? kubernetesRequest(arrival) : [otherRequest(arrival), null];
  const isWrite = arrival.method !== "GET" && arrival.method !== "HEAD";
  return { service, name: `${caller}: ${request}`, isWrite, object, isInvocation: isFunctionPath(arrival.path) };
}

/** Describes the invocation of a function by a state machine. */
export function describeInvocation(state: string, subject: string): ExternalCall {
  return {
    service: "function",
    name: `invoke ${state} for ${subject}`,
    isWrite: true,
    object: null,
    isInvocation: true,
  };
}

function serviceOf({ path, operation }: Arrival): Service {
  if (operation !== null || isFunctionPath(path)) return "aws";
  if (path.startsWith("/v2/")) return "registry";
  if (/^\/api\/(v3|graphql)\b/.test(path)) return "github";
  return path.startsWith("/api/v1/query") ? "prometheus" : "kubernetes";
}

function isFunctionPath(path: string): boolean {
  return path.startsWith("/2015-03-31/functions/");
}

function kubernetesRequest({ method, path, body }: Arrival): readonly [name: string, object: string | null] {
  const [pathname = ""] = path.split("?");
  const segments = pathname.split("/").filter(Boolean);
  const resource = segments.slice(segments[0] === "api" ? 2 : 3);
  const namespaced = resource[0] === "namespaces" && resource.length > 2;
  const [plural, name, subresource] = namespaced ? resource.slice(2) : resource;
  if (plural === undefined) return [`${method} ${pathname}`, null];
  const about = name ?? (method === "POST" ? createdName(body) : namespaced ? `of ${resource[1]}` : "of all");
  const parts = [plural, withoutHash(about), ...(subresource === undefined ? [] : [subresource])];
  const objectPath = subresource === undefined ? pathname : pathname.slice(0, -subresource.length - 1);
  return [`${method} ${parts.join("/")}`, name === undefined ? null : objectPath];
}

interface Created {
  readonly metadata?: { readonly name?: string };
  readonly reason?: string;
  readonly involvedObject?: { readonly name: string };
}

/** An Event is about an object; its own name has a hash. */
function createdName(body: string): string {
  const { metadata, reason, involvedObject } = JSON.parse(body) as Created;
  return involvedObject === undefined ? (metadata?.name ?? "") : `${reason} of ${involvedObject.name}`;
}

interface AwsInput {
  readonly name?: string;
  readonly executionArn?: string;
  readonly Entries?: readonly { readonly DetailType: string; readonly Detail: string }[];
}

function otherRequest({ method, path, operation, body }: Arrival): string {
  if (body.includes("createCommitOnBranch")) return `${method} createCommitOnBranch`;
  if (operation === null) return `${method} ${path.split("?")[0]?.replace(/\b[0-9a-f]{40}$/, "*")}`;
  const { name, executionArn, Entries: [entry] = [] } = JSON.parse(body) as AwsInput;
  const { workload, nodePool } = JSON.parse(entry?.Detail ?? "{}") as Record<string, { name: string } | undefined>;
  const about =
    entry === undefined
      ? (name ?? executionArn?.split(":").at(-1) ?? "")
      : `${entry.DetailType} of ${(workload ?? nodePool)?.name}`;
  return `${operation} ${withoutHash(about)}`;
}

/** Removes what is random or derived from a uid. */
function withoutHash(name: string): string {
  return name
    .replace(/-[0-9a-f]{12}$/, "")
    .replace(/-[0-9a-f]{7,10}-[0-9a-z]{5}$/, "-*")
    .replace(/\.[0-9a-f]{8,}$/, "");
}
