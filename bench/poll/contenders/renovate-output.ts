import type { FoundTags } from "./job.ts";

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

/** Returns the newest tags in Renovate's report. Several updates of one image are joined, and so verified as wrong. */
export function parseReport(report: string, host: string): FoundTags {
  const { packageFiles } = (JSON.parse(report) as Report).repositories.local;
  const deps = Object.values(packageFiles).flatMap((files) => files.flatMap((file) => file.deps));
  return Object.fromEntries(
    deps.map(({ packageName, updates }) => [
      packageName.replace(`${host}/`, ""),
      updates.map(({ newValue }) => newValue).join(" and "),
    ]),
  );
}

/** Returns the duration of the look-up phase in Renovate's log. */
export function parseLookupSeconds(log: string): number {
  const milliseconds = /"splits":\{[^}]*"lookup":(\d+)/.exec(log)?.[1];
  if (milliseconds === undefined) throw new Error("Renovate's log: no duration of the look-up phase");
  return Number(milliseconds) / 1000;
}
