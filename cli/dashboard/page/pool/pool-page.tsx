import { qualifyName, splitName } from "../../cluster-name.ts";
import type { NodeRow, PoolDetail, WindowRow } from "../../model.ts";
import { Actions } from "../actions.tsx";
import { describeEffect } from "../effect.ts";
import { shorten, Time } from "../format.tsx";
import { isLoaded, NotLoaded } from "../not-loaded.tsx";
import { StateBadge } from "../state-badge.tsx";
import { TimeAxis } from "../chart/axis.tsx";
import { clusterTime, useStore } from "../store.ts";
import { useDocument } from "../use-document.ts";

export function PoolPage({ name }: { readonly name: string }) {
  const { poolChanges } = useStore();
  const detail = useDocument<PoolDetail>("pool", name, poolChanges, 5000);
  if (!isLoaded(detail)) return <NotLoaded name={`node pool ${name}`} document={detail} />;
  const { row, slots, rounds, nodes, windows, isWindowOpen } = detail;
  const isDone = row.updatedCount === row.nodeCount;
  return (
    <>
      <p>
        <a href="#/pools">Node pools</a>
      </p>
      <h1>
        {row.name} <StateBadge state={row.state} />
      </h1>
      <p class="reason">{shorten(row.message)}</p>
      <Actions
        verbs={[row.paused ? "resume" : "pause"]}
        target={targetOf(row.name)}
        effectOf={(action) => describeEffect(action, null)}
      />
      <p>
        <label>
          {row.updatedCount} of {row.nodeCount} nodes updated, {row.degradedCount} degraded{" "}
          <progress max={Math.max(row.nodeCount, 1)} value={row.updatedCount} />
        </label>
      </p>
      <p>
        At most {slots} at a time.{" "}
        {isDone || rounds === null ? "" : `Forecast: ${rounds === 1 ? "1 round" : `${rounds} rounds`} of reboots left.`}
      </p>
      <h2>Nodes</h2>
      <ul class="nodes" aria-label="Nodes">
        {nodes.map((node) => (
          <NodeCard key={node.node} row={node} />
        ))}
      </ul>
      {windows.length === 0 ? null : <Windows windows={windows} isOpen={isWindowOpen} />}
    </>
  );
}

function targetOf(pool: string): string {
  const { cluster, name } = splitName(pool);
  return cluster === null ? `bootcnodepool/${name}` : qualifyName(cluster, `bootcnodepool/${name}`);
}

/** A shape beside the word of each state. */
const shapes: Readonly<Record<string, string>> = {
  "up-to-date": "●",
  staging: "◔",
  staged: "◑",
  rebooting: "↻",
  pending: "○",
  degraded: "✕",
  joining: "+",
  leaving: "−",
  contested: "✕",
};

function NodeCard({ row }: { readonly row: NodeRow }) {
  const { node, state, booted, slot, cordoned, next, problem, drain } = row;
  return (
    <li class={`node ${state}`}>
      <strong>{node}</strong>
      <span>
        <span aria-hidden="true">{shapes[state] ?? "?"}</span> {state}
        {cordoned === null ? "" : ", cordoned"}
      </span>
      <span>{shorten(booted ?? "–")}</span>
      {slot === null ? null : (
        <span>
          slot since <Time at={slot.approvedAt ?? slot.acquiredAt} />
        </span>
      )}
      {next === null ? null : <span>next: {shorten(next)}</span>}
      {problem === null ? null : <span class="problems">{shorten(problem)}</span>}
      {drain.map((line) => (
        <span key={line}>drain: {shorten(line)}</span>
      ))}
    </li>
  );
}

const shownMs = 48 * 3_600_000;

/** The windows of the next 48 hours on an axis. */
function Windows({ windows, isOpen }: { readonly windows: readonly WindowRow[]; readonly isOpen: boolean }) {
  const now = clusterTime();
  const x = (at: string) => Math.min(Math.max(((Date.parse(at) - now) / shownMs) * 960, 0), 960);
  return (
    <section aria-labelledby="windows">
      <h2 id="windows">Maintenance windows</h2>
      <p>{isOpen ? "A window is open now." : "No window is open now."}</p>
      <div class="wide" role="group" aria-label="Windows" tabIndex={0}>
        <svg
          class="windows"
          viewBox="0 0 960 52"
          role="img"
          aria-label={`${windows.length} windows in the next 48 hours`}
        >
          <TimeAxis from={now} until={now + shownMs} left={0} right={960} y={30} />
          {windows.map(({ from, until }) => (
            <rect key={from} x={x(from)} y="6" width={Math.max(x(until) - x(from), 2)} height="20" class="window" />
          ))}
        </svg>
      </div>
      <ul>
        {windows.slice(0, 4).map(({ from, until }) => (
          <li key={from}>
            opens <Time at={from} />, closes <Time at={until} />
          </li>
        ))}
      </ul>
    </section>
  );
}
