import type { TagList } from "../images.ts";

/** The task of every contender: find the newest tag of each image. */
export interface Job extends TagList {
  /** `127.0.0.1:port` of the registry. */
  readonly host: string;
}

/** Newest tag by repository, as the contender found it. */
export type FoundTags = Readonly<Record<string, string>>;

export interface LookupResult {
  /** Duration of the look-up, without startup. */
  readonly seconds: number;
  readonly found: FoundTags;
}

/** Runs `work` in the process of the contender and reports its duration. The function that `work` returns is not measured. */
export async function compete(prepare: (job: Job) => Promise<() => Promise<() => FoundTags>>): Promise<void> {
  const work = await prepare(JSON.parse(process.argv[2] ?? "") as Job);
  const startedAt = performance.now();
  const readFound = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  process.send?.({ seconds, found: readFound() } satisfies LookupResult);
  if (process.connected) process.disconnect();
}
