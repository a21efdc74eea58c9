import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { json } from "node:stream/consumers";
import { createPatch } from "rfc6902";
import { realKubeConfig } from "../../support/real-cluster.ts";

/** The groups of a user. With `anything`, RBAC allows each request, so that only a policy can deny it. */
export type Groups = string | readonly string[] | Person;
/** A user of this name. */
export interface Person {
  readonly user: string;
  readonly groups: readonly string[];
}
export const anything = "system:masters";

/** With the fields that requests need. */
export interface Sample {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: object;
  readonly status?: object;
}

/** Returns why a user of these groups may not create an object; null if it may. Nothing is created. */
export async function createDenial(resource: string, groups: Groups, object: Sample): Promise<string | null> {
  const namespace = isNamespaced(resource) ? "default" : "";
  return denialOf(groups, "POST", `${collectionOf(resource, namespace)}?dryRun=All`, {
    ...typeOf(resource),
    ...object,
  });
}

/** Returns why a user of these groups may not change an object into another; null if it may. Creates the first, and changes nothing. */
export async function updateDenial<T extends Sample>(
  resource: string,
  groups: Groups,
  before: T,
  after: T,
  creator: Groups = anything,
): Promise<string | null> {
  const { subresource } = parse(resource);
  const path = `${await store(resource, before, creator)}${subresource === undefined ? "" : `/${subresource}`}`;
  return denialOf(groups, "PATCH", `${path}?dryRun=All`, createPatch(before, after));
}

/**
 * Returns why a user of these groups may not delete an object; null if it may. Creates it, and deletes nothing.
 * @param options in the body or, as text, in the query: the server reads no query if there is a body
 */
export async function deleteDenial(
  resource: string,
  groups: Groups,
  object: Sample,
  options: object | string = "",
): Promise<string | null> {
  const path = await store(resource, object);
  if (typeof options === "string") return denialOf(groups, "DELETE", `${path}?dryRun=All${options}`);
  return denialOf(groups, "DELETE", path, { ...options, dryRun: ["All"] });
}

/** Denials by policies name the policy first; denials by RBAC begin with the user. Throws at any other answer. */
export async function denialOf(groups: Groups, method: Method, path: string, body?: object): Promise<string | null> {
  const { code, message } = await send(groups, method, path, body);
  if (code < 300) return null;
  if (code !== 403) throw new Error(`${method} ${path}: ${code} ${message}`);
  return message.replace(/^.* is forbidden: (ValidatingAdmissionPolicy .* denied request: )?/s, "");
}

/** Differs in each process. */
const run = randomUUID().slice(0, 8);
let count = 0;
const stored = new Map<object, Promise<string>>();

/** Creates the object once, and returns its path. */
function store(resource: string, sample: Sample, creator: Groups = anything): Promise<string> {
  const known = stored.get(sample);
  if (known !== undefined) return known;
  const created = create(resource, sample, creator);
  stored.set(sample, created);
  return created;
}

async function create(resource: string, sample: Sample, creator: Groups): Promise<string> {
  const collection = collectionOf(resource, await openNamespace(resource));
  const name = isNamespaced(resource) ? nameOf(sample) : `${nameOf(sample)}-${uniqueSuffix()}`;
  const path = `${collection}/${name}`;
  await send(
    creator,
    "POST",
    collection,
    { ...typeOf(resource), ...sample, metadata: { ...sample.metadata, name } },
    true,
  );
  const { status } = sample;
  if (status !== undefined)
    await send(anything, "PATCH", `${path}/status`, [{ op: "add", path: "/status", value: status }], true);
  return path;
}

/** Creates a namespace of its own for each object, so that objects keep their names: policies compare these. */
async function openNamespace(resource: string): Promise<string> {
  if (!isNamespaced(resource)) return "";
  const name = `admission-${uniqueSuffix()}`;
  await send(anything, "POST", "/api/v1/namespaces", { metadata: { name } }, true);
  // A controller would create it, and no pod is admitted before.
  const account = { metadata: { name: "default" } };
  if (resource === "pods") await send(anything, "POST", `/api/v1/namespaces/${name}/serviceaccounts`, account, true);
  return name;
}

function collectionOf(resource: string, namespace: string): string {
  const { plural, group } = parse(resource);
  const version = ["apps", "batch"].includes(group) ? "v1" : "v1alpha1";
  const api = group === "" ? "/api/v1" : `/apis/${group}/${version}`;
  return `${api}${namespace === "" ? "" : `/namespaces/${namespace}`}/${plural}`;
}

/** Custom resources need their type in the body. */
function typeOf(resource: string): object {
  return resource === "bootcnodes.node.bootc.dev" ? { apiVersion: "node.bootc.dev/v1alpha1", kind: "BootcNode" } : {};
}

function isNamespaced(resource: string): boolean {
  return resource !== "nodes" && !resource.endsWith(".node.bootc.dev");
}

/** Parses `claws/status.claw.prismer.ai`, `pods`. */
function parse(resource: string) {
  const [path = "", ...group] = resource.split(".");
  const [plural = "", subresource] = path.split("/");
  return { plural, subresource, group: group.join(".") };
}

function uniqueSuffix(): string {
  return `${run}-${(count += 1)}`;
}

function nameOf({ metadata }: Sample): string {
  return (metadata as { readonly name: string }).name;
}

type Method = "POST" | "PUT" | "PATCH" | "DELETE";

async function send(groups: Groups, method: Method, path: string, body?: object, mustSucceed = false) {
  const { server, token, agent } = connect();
  const text = body === undefined ? "" : JSON.stringify(body);
  const isPerson = typeof groups === "object" && "user" in groups;
  const person = isPerson ? groups : { user: "somebody", groups: [groups].flat() };
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": method === "PATCH" ? "application/json-patch+json" : "application/json",
    "impersonate-user": person.user,
    "impersonate-group": [...person.groups],
    "content-length": Buffer.byteLength(text), // without it the server rejects a DELETE with a body
  };
  const outgoing = request(`${server}${path}`, { method, agent, headers }).end(text);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const { message = "" } = (await json(response)) as { readonly message?: string };
  const code = response.statusCode ?? 0;
  if (mustSucceed && code >= 300) throw new Error(`${method} ${path}: ${code} ${message}`);
  return { code, message };
}

interface Connection {
  readonly server: string;
  readonly token: string;
  readonly agent: Agent;
}

let connection: Connection | undefined;

/** Keeps connections open, unlike the client of Kubernetes: there are thousands of requests. */
function connect(): Connection {
  if (connection !== undefined) return connection;
  const kubeConfig = realKubeConfig();
  const { server = "", caData = "" } = kubeConfig.getCurrentCluster() ?? {};
  const ca = Buffer.from(caData, "base64").toString();
  const token = kubeConfig.getCurrentUser()?.token ?? "";
  connection = { server, token, agent: new Agent({ ca, keepAlive: true, maxSockets: 4 }) };
  return connection;
}
