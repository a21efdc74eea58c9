import type { Shelf } from "../images.ts";

/** What every contender is given: find the newest tag of each image on this shelf. */
export interface Job extends Shelf {
  /** Of the registry: `127.0.0.1:port`. */
  readonly host: string;
}

/** By repository, the tag that was found to be the newest. */
export type Found = Readonly<Record<string, string>>;

export interface Told {
  /** The look-up alone, without start-up. */
  readonly seconds: number;
  readonly found: Found;
}

/** Runs in the contender's process: does the work, then tells how long it took. What is returned is not timed any more. */
export async function contend(prepare: (job: Job) => Promise<() => Promise<() => Found>>): Promise<void> {
  const work = await prepare(JSON.parse(process.argv[2] ?? "") as Job);
  const began = performance.now();
  const found = await work();
  const seconds = (performance.now() - began) / 1000;
  process.send?.({ seconds, found: found() } satisfies Told);
  if (process.connected) process.disconnect();
}
