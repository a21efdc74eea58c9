import { createHash, createHmac, randomBytes } from "node:crypto";
import type { ConfigReference, ConfigTracking, ObservedConfig } from "../../../domain/workload/config/tracking.ts";
import { formatDigests } from "../../../domain/workload/digest/digests.ts";
import type { Remember } from "../../../ports/cluster.ts";
import { isForbidden } from "../errors.ts";
import type { ConfigApi, ConfigContent } from "./config-api.ts";
import { fieldProblem, type Problem } from "../../../domain/workload/policy/problem.ts";

/** Where configuration is read, and how. */
interface ConfigScope {
  readonly namespace: string;
  readonly readsSecrets: boolean;
  readonly api: ConfigApi;
  /** Shares what is read among workloads. */
  readonly remember: Remember;
}

/** What was read of one reference. `digest` is absent if it could not be resolved, `version` if the object does not exist too. */
interface Read {
  readonly digest?: string;
  readonly version?: string;
  readonly problems: readonly Problem[];
}

/** In hexadecimal digits. */
const digestLength = 32;

/**
 * Reads the configuration that restarts a workload, without its content where its resourceVersion is the recorded one. A reference that
 * cannot be resolved is a problem, and keeps what is recorded of it.
 */
export async function readConfig(config: ConfigTracking, scope: ConfigScope): Promise<ObservedConfig> {
  const { references, deployed, versions } = config;
  const salt = config.salt ?? randomBytes(16).toString("hex");
  const isRead = ({ kind }: ConfigReference) => scope.readsSecrets || kind === "configmap";
  const all: (Read & { readonly id: string })[] = [];
  // One request at a time: a poll reads the configuration of several workloads together.
  for (const one of references.filter(isRead)) {
    const recorded = { digest: deployed[one.id], version: versions[one.id] };
    const read = await readReference(one, recorded, salt, scope);
    all.push({ id: one.id, ...read });
  }
  const ignored = references.filter((one) => one.isNamed && !isRead(one));
  const digests = toRecord(all, ({ digest }) => digest);
  return {
    salt,
    digests,
    versions: toRecord(all, ({ version }) => version),
    digest: `config:${createHash("sha256").update(formatDigests(digests)).digest("hex").slice(0, digestLength)}`,
    problems: unique([...all.flatMap(({ problems }) => problems), ...ignored.map(ignoredProblem)]),
  };
}

/** Several references may be of one object. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((one) => [one.text, one])).values()];
}

function toRecord<Of extends { readonly id: string }>(all: readonly Of[], valueOf: (one: Of) => string | undefined) {
  return Object.fromEntries(
    all.flatMap((one) => {
      const value = valueOf(one);
      return value === undefined ? [] : [[one.id, value]];
    }),
  );
}

type Recorded = { readonly [Field in "digest" | "version"]: string | undefined };

async function readReference(
  reference: ConfigReference,
  { digest, version }: Recorded,
  salt: string,
  scope: ConfigScope,
): Promise<Read> {
  const recorded = { ...(digest === undefined ? {} : { digest }), ...(version === undefined ? {} : { version }) };
  const found = await readVersion(reference, scope);
  if (typeof found === "object") return { ...recorded, problems: found.problems };
  if (found !== "" && digest !== undefined && version === found) return { ...recorded, problems: [] };
  const content = found === "" ? null : await readContent(reference, scope);
  if (content !== null && "problems" in content) return { ...recorded, problems: content.problems };
  const problems = unresolved(reference, content);
  if (problems.length > 0) return { ...recorded, problems };
  const read = { digest: digestOf(reference, content, salt), problems };
  return content === null ? read : { ...read, version: content.resourceVersion };
}

interface Denied {
  readonly problems: readonly Problem[];
}

/** Returns the resourceVersion of an object; empty if it does not exist. */
async function readVersion(
  { kind, name }: ConfigReference,
  { namespace, api, remember }: ConfigScope,
): Promise<string | Denied> {
  if (kind === "secret") {
    const read = async () => (await api.getSecretVersion(namespace, name)) ?? "";
    return remember(`version of ${namespace}/${name}`, () => read().catch(toDenied(kind, namespace, `secret/${name}`)));
  }
  const listed = await remember(`ConfigMaps of ${namespace}`, () =>
    api.listConfigMaps(namespace).catch(toDenied(kind, namespace, ownConfigMaps)),
  );
  return "problems" in listed ? listed : (listed.get(name) ?? "");
}

function readContent(
  { kind, name }: ConfigReference,
  { namespace, api, remember }: ConfigScope,
): Promise<ConfigContent | Denied | null> {
  return remember(`content of ${kind} ${namespace}/${name}`, () =>
    api.getConfigContent(kind, namespace, name).catch(toDenied(kind, namespace, `${kind}/${name}`)),
  );
}

const ownConfigMaps = "its ConfigMaps";

const rights = {
  secret: ["get on secrets", "apply infra/cluster/pull-secrets"],
  configmap: ["list and get on configmaps", "apply infra/cluster"],
} as const;

/** A role may be bound in some namespaces only, and for some names. */
function toDenied(kind: ConfigReference["kind"], namespace: string, subject: string): (error: unknown) => Denied {
  const [right, fix] = rights[kind];
  return (error) => {
    if (!isForbidden(error)) throw error;
    const reason = `Pawl must not read ${subject === ownConfigMaps ? "them" : "it"}; grant pawl:pollers ${right} in the namespace ${namespace}: ${fix}`;
    return { problems: [fieldProblem(subject, "NotEnabled", reason)] };
  };
}

/** Returns a digest of the keys that are used, and their values: of all of them if all are used. */
function digestOf({ keys }: ConfigReference, content: ConfigContent | null, salt: string): string {
  const hashes = content?.hashes ?? {};
  const used = content && (keys ?? Object.keys(hashes).sort()).map((key) => [key, hashes[key] ?? null]);
  const digest = createHmac("sha256", salt).update(JSON.stringify(used)).digest("hex");
  return `config:${digest.slice(0, digestLength)}`;
}

/** Returns why pods with this reference would not start. */
export function unresolved(
  { kind, name, isRequired, requiredKeys }: Pick<ConfigReference, "kind" | "name" | "isRequired" | "requiredKeys">,
  content: ConfigContent | null,
): readonly Problem[] {
  const fix = "create it, or make the reference optional";
  const notFound = (what: string) => fieldProblem(`${kind}/${name}`, "NotFound", `${what}; ${fix}`);
  if (content === null) return isRequired ? [notFound("does not exist")] : [];
  const missing = requiredKeys.filter((key) => content.hashes[key] === undefined);
  return missing.map((key) => notFound(`has no key "${key}"`));
}

/** Secrets that the pod template uses are ignored without a message, because their owner did not ask for them. */
function ignoredProblem({ name }: ConfigReference): Problem {
  const reason = "this installation of Pawl reads no Secrets; name it no more, or enable configSecrets there";
  return fieldProblem(`secret/${name}`, "NotEnabled", reason);
}
