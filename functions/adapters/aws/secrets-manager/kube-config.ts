import { KubeConfig } from "@kubernetes/client-node";
import { parse, YAMLParseError } from "yaml";

/** The text is not a usable kubeconfig. Names the invalid field, and never its value. */
export class KubeconfigInvalid extends Error {
  override readonly name = "KubeconfigInvalid";
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that run a program or read a file in the function, and what to use instead. */
const rejectedFields = {
  clusters: { "certificate-authority": "certificate-authority-data" },
  users: {
    exec: "token, or client-certificate-data and client-key-data",
    "auth-provider": "token, or client-certificate-data and client-key-data",
    "client-certificate": "client-certificate-data",
    "client-key": "client-key-data",
    tokenFile: "token",
    "token-file": "token",
  },
} satisfies Record<string, Readonly<Record<string, string>>>;

/**
 * Parses a kubeconfig and selects `context`, or else its current one. Throws `KubeconfigInvalid`, also for fields that refer to
 * programs or files: the writer of the secret could otherwise run programs with the function's rights.
 */
export function parseKubeConfig(text: string, context: string | null, source: string): KubeConfig {
  const root = parseFields(parseYaml(text, source), source);
  const problems = [
    ...findProblems(root["clusters"], "clusters", "cluster", rejectedFields.clusters),
    ...findProblems(root["users"], "users", "user", rejectedFields.users),
  ];
  if (problems.length > 0) throw new KubeconfigInvalid(`${source}: ${problems.join("; ")}`);
  const kubeConfig = new KubeConfig();
  try {
    // Loads what was checked: another YAML parser might read the text differently.
    kubeConfig.loadFromString(JSON.stringify(root));
  } catch (error) {
    throw new KubeconfigInvalid(`${source}: ${(error as Error).message}`);
  }
  if (context !== null) kubeConfig.setCurrentContext(context);
  assertUsable(kubeConfig, source);
  return kubeConfig;
}

function findProblems(
  entries: unknown,
  list: string,
  inner: string,
  fields: Readonly<Record<string, string>>,
): string[] {
  if (!Array.isArray(entries)) return [`${list} is not a list`];
  return entries.flatMap((entry: unknown, index) => {
    const settings = isFields(entry) ? (entry[inner] ?? {}) : null;
    if (!isFields(settings)) return [`${list}[${index}].${inner} is not an object`];
    return Object.entries(fields)
      .filter(([field]) => Object.hasOwn(settings, field))
      .map(([field, instead]) => `${list}[${index}].${inner}.${field} is not allowed; use ${instead} instead`);
  });
}

function assertUsable(kubeConfig: KubeConfig, source: string): void {
  const selected = kubeConfig.getCurrentContext();
  const contexts = kubeConfig.getContexts().map(({ name }) => name);
  const available = `available: ${contexts.join(", ") || "none"}`;
  if (!selected)
    throw new KubeconfigInvalid(
      `${source}: it has no current-context; set PAWL_CONTEXT to one of its contexts; ${available}`,
    );
  if (!contexts.includes(selected))
    throw new KubeconfigInvalid(`${source}: it has no context "${selected}"; ${available}`);
  if (kubeConfig.getCurrentCluster() === null || kubeConfig.getCurrentUser() === null) {
    throw new KubeconfigInvalid(
      `${source}: the context "${selected}" refers to a cluster or a user that does not exist`,
    );
  }
}

function parseYaml(text: string, source: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    // The parser's message quotes the text, which contains tokens.
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw new KubeconfigInvalid(`${source} is not YAML${line === undefined ? "" : ` (line ${line})`}`);
  }
}

function parseFields(value: unknown, path: string): Fields {
  if (isFields(value)) return value;
  throw new KubeconfigInvalid(`${path} is not a kubeconfig: it is not an object`);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
