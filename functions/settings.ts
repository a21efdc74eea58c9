export type Environment = Readonly<Record<string, string | undefined>>;

/** What the functions are told by their environment. No secret stands in it: only where one is to be found. */
export interface Settings {
  readonly stateMachineArn: string;
  readonly eventBusName: string;
  /** A file; null looks where kubectl looks. */
  readonly kubeconfig: string | null;
  readonly context: string | null;
  /** null is every namespace. */
  readonly namespaces: readonly string[] | null;
  /** `host[:port]` of registries that are spoken to over plain HTTP. */
  readonly insecureRegistries: readonly string[];
  /** A docker config.json; null is anonymous. */
  readonly dockerConfig: string | null;
  /** Where the images of Claw runtimes are mirrored: runtime to repository. */
  readonly runtimeImages: Readonly<Record<string, string>>;
}

/** Says every variable that is missing or cannot be read. */
export class SettingsInvalid extends Error {
  override readonly name = "SettingsInvalid";
}

/** Reads the environment. Throws `SettingsInvalid` with all of its problems at once. */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = [];
  const required = (name: string) => {
    const value = environment[name] ?? "";
    if (value === "") problems.push(`${name} is not set`);
    return value;
  };
  const settings: Settings = {
    stateMachineArn: required("PAWL_STATE_MACHINE_ARN"),
    eventBusName: required("PAWL_EVENT_BUS_NAME"),
    kubeconfig: environment["PAWL_KUBECONFIG"] || null,
    context: environment["PAWL_CONTEXT"] || null,
    namespaces: list(environment["PAWL_NAMESPACES"]),
    insecureRegistries: list(environment["PAWL_INSECURE_REGISTRIES"]) ?? [],
    dockerConfig: environment["PAWL_DOCKER_CONFIG"] || null,
    runtimeImages: pairs(environment["PAWL_RUNTIME_IMAGES"], problems),
  };
  if (problems.length > 0) throw new SettingsInvalid(problems.join("; "));
  return settings;
}

function list(value: string | undefined): readonly string[] | null {
  const items = (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  return items.length === 0 ? null : items;
}

function pairs(value: string | undefined, problems: string[]): Readonly<Record<string, string>> {
  const entries = (list(value) ?? []).map((item) => [item, item.indexOf("=")] as const);
  for (const [item, at] of entries) {
    if (at < 1) problems.push(`PAWL_RUNTIME_IMAGES "${item}": write runtime=repository, separated by commas`);
  }
  return Object.fromEntries(entries.map(([item, at]) => [item.slice(0, at), item.slice(at + 1)]));
}
