import manifest from "../../../package.json" with { type: "json" };

interface Scope {
  readonly name: string | null;
}

/** Returns the description of a function, from which `versionOf` reads the version of Pawl. */
export function describeFunction(cluster: Scope, handler: string): string {
  return `Pawl ${manifest.version}${describeScope(cluster)}: ${handler}`;
}

/** Returns the version of Pawl that deployed a function; null if that version did not write it. */
export function versionOf(description = ""): string | null {
  return /^Pawl (\d[^,:\s]*)/.exec(description)?.[1] ?? null;
}

export function describeScope({ name }: Scope): string {
  return name === null ? "" : `, cluster ${name}`;
}
