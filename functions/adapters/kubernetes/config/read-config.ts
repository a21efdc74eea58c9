import { createHash, createHmac, randomBytes } from "node:crypto";
import type { ConfigReference, ConfigTracking, ObservedConfig } from "../../../domain/workload/config/tracking.ts";
import { formatDigests } from "../../../domain/workload/digest/digests.ts";
import { isForbidden } from "../errors.ts";
import type { ConfigApi } from "./config-api.ts";

/** Where configuration is read. */
interface ConfigScope {
  readonly namespace: string;
  /** The resourceVersion of every ConfigMap, by name. */
  readonly configMaps: ReadonlyMap<string, string>;
  readonly readsSecrets: boolean;
}

/** What was read of one reference; `version` is absent for an object that does not exist. */
interface Read {
  readonly id: string;
  readonly digest: string;
  readonly version?: string;
  readonly problems: readonly string[];
}

/** In hexadecimal digits. */
const digestLength = 32;

/** Reads the configuration that restarts a workload, without its content where its resourceVersion is the recorded one. */
export async function readConfig(
  { namespace, configMaps, readsSecrets }: ConfigScope,
  config: ConfigTracking,
  api: ConfigApi,
): Promise<ObservedConfig> {
  const salt = config.salt ?? randomBytes(16).toString("hex");
  const versionOf = ({ kind, name }: ConfigReference) =>
    kind === "secret" ? api.getSecretVersion(namespace, name) : (configMaps.get(name) ?? null);
  const read = async (reference: ConfigReference): Promise<Read> => {
    const { id, kind, name } = reference;
    const version = await versionOf(reference);
    const known = config.deployed[id];
    if (version !== null && known !== undefined && config.versions[id] === version)
      return { id, digest: known, version, problems: [] };
    const content = version === null ? null : await api.getConfigContent(kind, namespace, name);
    const digest = digestOf(reference, content?.data ?? null, salt);
    const problems = unresolved(reference, content?.data ?? null);
    return { id, digest, problems, ...(content === null ? {} : { version: content.resourceVersion }) };
  };
  const isRead = ({ kind }: ConfigReference) => readsSecrets || kind === "configmap";
  const all: Read[] = [];
  // One request at a time: a poll reads the configuration of several workloads together.
  for (const one of config.references.filter(isRead)) all.push(await read(one).catch(toDenied(one)));
  const ignored = config.references.filter((one) => one.isNamed && !isRead(one));
  const digests = Object.fromEntries(all.map(({ id, digest }) => [id, digest]));
  return {
    salt,
    digests,
    versions: Object.fromEntries(all.flatMap(({ id, version }) => (version === undefined ? [] : [[id, version]]))),
    digest: `config:${createHash("sha256").update(formatDigests(digests)).digest("hex").slice(0, digestLength)}`,
    problems: [...all.flatMap(({ problems }) => problems), ...ignored.map(describeIgnored)],
  };
}

/** Returns a digest of the keys that are used, and their values: of all of them if all are used. */
function digestOf({ keys }: ConfigReference, data: Readonly<Record<string, string>> | null, salt: string): string {
  const used = data === null ? null : (keys ?? Object.keys(data).sort()).map((key) => [key, data[key] ?? null]);
  const hash = createHmac("sha256", salt).update(JSON.stringify(used)).digest("hex");
  return `config:${hash.slice(0, digestLength)}`;
}

/** Returns why pods with this reference would not start. */
function unresolved(
  { kind, name, isRequired, requiredKeys }: ConfigReference,
  data: Readonly<Record<string, string>> | null,
): readonly string[] {
  const fix = "create it, or make the reference optional";
  if (data === null) return isRequired ? [`${kind}/${name}: does not exist; ${fix}`] : [];
  const missing = requiredKeys.filter((key) => data[key] === undefined);
  return missing.map((key) => `${kind}/${name}: has no key "${key}"; ${fix}`);
}

/** Secrets that the pod template uses are ignored without a message, because their owner did not ask for them. */
function describeIgnored({ name }: ConfigReference): string {
  return `secret/${name}: this installation of Pawl reads no Secrets; name it no more, or enable configSecrets there`;
}

/** A role may be bound in some namespaces only. */
function toDenied({ id, kind, name }: ConfigReference): (error: unknown) => Read {
  return (error) => {
    if (!isForbidden(error)) throw error;
    return { id, digest: "", problems: [`${kind}/${name}: Pawl must not read it; bind its role in this namespace`] };
  };
}
