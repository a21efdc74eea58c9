import type { Found } from "./job.ts";

interface Report {
  readonly repositories: {
    readonly local: {
      readonly packageFiles: Readonly<Record<string, readonly { readonly deps: readonly Dependency[] }[]>>;
    };
  };
}

interface Dependency {
  readonly packageName: string;
  readonly updates: readonly { readonly newValue: string }[];
}

/** The newest tags in Renovate's report. Several updates of one image are no single answer, and stand there joined. */
export function foundIn(report: string, host: string): Found {
  const { packageFiles } = (JSON.parse(report) as Report).repositories.local;
  const deps = Object.values(packageFiles).flatMap((files) => files.flatMap((file) => file.deps));
  return Object.fromEntries(
    deps.map(({ packageName, updates }) => [
      packageName.replace(`${host}/`, ""),
      updates.map(({ newValue }) => newValue).join(" and "),
    ]),
  );
}

/** What Renovate's log says that its look-up phase took. */
export function lookupSeconds(log: string): number {
  const milliseconds = /"splits":\{[^}]*"lookup":(\d+)/.exec(log)?.[1];
  if (milliseconds === undefined) throw new Error("Renovate's log does not say how long the look-ups took");
  return Number(milliseconds) / 1000;
}
