/** How many inputs are tested: samples in `npm test`, larger ones in `.ci/run`, and all in `npm run soak`. */
const extents = ["sample", "ci", "soak"] as const;
const extent = extents.find((one) => one === process.env["PAWL_TESTS"]) ?? "sample";

/** True in `npm run soak`, which takes as long as it needs. */
export const isSoak = extent === "soak";

/** Selects samples. It differs from run to run, and is the same in all processes of one: the configuration of Vitest sets it. */
export const seed = Number((process.env["PAWL_TEST_SEED"] ??= String(Date.now() % 100_000)));

/** Returns how often a random property that takes seconds runs: a third of `runs`, in a soak five times `runs`. */
export function propertyRuns(runs: number): number {
  return isSoak ? runs * 5 : Math.ceil(runs / 3);
}

/** Returns the size of a sample. */
export function sampleSize(sizes: Readonly<Record<Exclude<typeof extent, "soak">, number>>): number {
  return extent === "soak" ? Infinity : sizes[extent];
}

/** Returns every n-th item, in a soak all. The seed says which is the first. */
export function everyNth<Item>(n: number, items: readonly Item[]): readonly Item[] {
  return isSoak ? items : items.filter((_, index) => index % n === seed % n);
}
