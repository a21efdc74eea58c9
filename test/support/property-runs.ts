/** True in `npm run soak`, which takes as long as it needs. */
export const isSoak = process.env["PAWL_SOAK"] === "1";

/** Returns how often a random property that takes seconds runs: a third of `runs`, in a soak five times `runs`. */
export function propertyRuns(runs: number): number {
  return isSoak ? runs * 5 : Math.ceil(runs / 3);
}
