import type { TestRow } from "../../detail-model.ts";
import { List } from "../list.tsx";

/** The tests of an analysis: what they have compared over the run, and how far that is from a failure. */
export function Tests({ tests }: { readonly tests: readonly TestRow[] }) {
  if (tests.length === 0) return null;
  return (
    <List
      title="Tests"
      empty=""
      head={["Metric", "Canary", "Stable pods", "Needed of each", "Limit", "p", "Fails at p ≤"]}
      before={
        <p class="note">
          Over the whole run: errors of requests with their 95 % interval, or the mean of values. p is at most the
          probability of this evidence, at any check, if the canary is within the limit.
        </p>
      }
    >
      {tests.map(({ metric, canary, stable, margin, limit, p, failsAt, minSamples }) => [
        metric,
        sample(canary),
        sample(stable),
        minSamples ?? "–",
        `${short(limit)} (${margin})`,
        short(p),
        short(failsAt),
      ])}
    </List>
  );
}

function sample({ sum, n, interval }: TestRow["canary"]): string {
  if (n === 0) return "n = 0";
  const range = interval === null ? "" : `, ${interval.map(short).join(" to ")}`;
  return `${short(sum / n)}${range} (${short(sum)} of n = ${short(n)})`;
}

function short(value: number | null): string {
  return value === null ? "–" : `${Number(value.toPrecision(4))}`;
}
