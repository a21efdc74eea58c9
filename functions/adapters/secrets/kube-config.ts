import { KubeConfig } from "@kubernetes/client-node";
import { parse, YAMLParseError } from "yaml";

/** The text is no kubeconfig that can be used here. Names the field at fault, and never its value. */
export class KubeconfigInvalid extends Error {
  override readonly name = "KubeconfigInvalid";
}

type Fields = Readonly<Record<string, unknown>>;

/** What would run a program or read a file where the functions run, and what to write instead. */
const refused = {
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
 * Reads a kubeconfig from text, set to `context` or else to its current one. Throws `KubeconfigInvalid`, for everything
 * in it that points outside of itself as well: whoever may write the secret could otherwise run programs as the functions.
 */
export function parseKubeConfig(text: string, context: string | null, source: string): KubeConfig {
  const root = fieldsOf(parsed(text, source), source);
  const problems = [
    ...problemsOf(root["clusters"], "clusters", "cluster", refused.clusters),
    ...problemsOf(root["users"], "users", "user", refused.users),
  ];
  if (problems.length > 0) throw new KubeconfigInvalid(`${source}: ${problems.join("; ")}`);
  const kubeConfig = new KubeConfig();
  try {
    // What was checked is what is loaded, whichever way two parsers of YAML would read the text.
    kubeConfig.loadFromString(JSON.stringify(root));
  } catch (error) {
    throw new KubeconfigInvalid(`${source}: ${(error as Error).message}`);
  }
  if (context !== null) kubeConfig.setCurrentContext(context);
  assertUsable(kubeConfig, source);
  return kubeConfig;
}

function problemsOf(entries: unknown, list: string, inner: string, fields: Readonly<Record<string, string>>): string[] {
  if (!Array.isArray(entries)) return [`${list} is not a list`];
  return entries.flatMap((entry: unknown, index) => {
    const settings = isFields(entry) ? (entry[inner] ?? {}) : null;
    if (!isFields(settings)) return [`${list}[${index}].${inner} is not an object`];
    return Object.entries(fields)
      .filter(([field]) => Object.hasOwn(settings, field))
      .map(([field, instead]) => `${list}[${index}].${inner}.${field} is refused: write ${instead} instead`);
  });
}

function assertUsable(kubeConfig: KubeConfig, source: string): void {
  const wanted = kubeConfig.getCurrentContext();
  const known = kubeConfig.getContexts().map(({ name }) => name);
  const there = `there are: ${known.join(", ") || "none"}`;
  if (!wanted) throw new KubeconfigInvalid(`${source}: it has no current-context; name one in PAWL_CONTEXT, ${there}`);
  if (!known.includes(wanted)) throw new KubeconfigInvalid(`${source}: it has no context "${wanted}"; ${there}`);
  if (kubeConfig.getCurrentCluster() === null || kubeConfig.getCurrentUser() === null) {
    throw new KubeconfigInvalid(`${source}: the context "${wanted}" names a cluster or a user that is not there`);
  }
}

function parsed(text: string, source: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    // The parser's own message quotes the text, and with it a token.
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw new KubeconfigInvalid(`${source} is not YAML${line === undefined ? "" : ` (line ${line})`}`);
  }
}

function fieldsOf(value: unknown, path: string): Fields {
  if (isFields(value)) return value;
  throw new KubeconfigInvalid(`${path} is not a kubeconfig: it is no object`);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
