import { useEffect, useState } from "preact/hooks";
import type { Replicas, WorkloadDetail } from "../../model.ts";
import { Chart } from "../chart/chart.tsx";
import { clusterTime } from "../store.ts";
import { ReplicaBar } from "./progress.tsx";

interface Sample {
  readonly at: number;
  readonly updated: number;
  readonly old: number;
}

const keptSamples = 300;

/** The replicas of a workload and its canary now, and how they have changed since the page was opened. */
export function ReplicasSection({ detail: { replicas, canary } }: { readonly detail: WorkloadDetail }) {
  const samples = useSamples(replicas, canary);
  if (replicas === null && canary === null) return null;
  return (
    <section aria-labelledby="replicas">
      <h2 id="replicas">Replicas</h2>
      {replicas === null ? null : (
        <p>
          <ReplicaBar title={canary === null ? "" : "Stable: "} replicas={replicas} />
        </p>
      )}
      {canary === null ? null : (
        <p>
          <ReplicaBar title="Canary: " replicas={canary} />
        </p>
      )}
      {samples.length < 2 ? null : <ReplicaChart samples={samples} />}
    </section>
  );
}

/** Keeps a sample of each change. The cluster has no history of them. */
function useSamples(replicas: Replicas | null, canary: Replicas | null): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const updated = (canary ?? replicas)?.updated ?? 0;
  const old = (canary === null ? replicas?.old : replicas?.available) ?? 0;
  useEffect(() => {
    const at = clusterTime() / 1000;
    setSamples((before) => {
      const last = before.at(-1);
      if (last !== undefined && last.updated === updated && last.old === old) return before;
      // What was true until now.
      const until = last === undefined ? [] : [{ ...last, at: at - 0.001 }];
      return [...before, ...until, { at, updated, old }].slice(-keptSamples);
    });
  }, [updated, old]);
  return samples;
}

function ReplicaChart({ samples }: { readonly samples: readonly Sample[] }) {
  const last = samples.at(-1);
  const common = { isStepped: true } as const;
  return (
    <figure>
      <figcaption class="note">Since this page was opened: new (line) and old (dashes).</figcaption>
      <Chart
        label={`Replicas since this page was opened; now ${last?.updated ?? 0} new and ${last?.old ?? 0} old`}
        times={samples.map(({ at }) => at)}
        series={[
          {
            ...common,
            label: "new",
            values: samples.map(({ updated }) => updated),
            colour: "--accent",
            isDashed: false,
          },
          { ...common, label: "old", values: samples.map(({ old }) => old), colour: "--warn", isDashed: true },
        ]}
        lines={[]}
      />
    </figure>
  );
}
