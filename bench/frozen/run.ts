import Table from "cli-table3";
import { startFrozenProcess, startPeer } from "../../test/adapters/frozen-peer.ts";

// Freezes processes with SIGSTOP, as Lambda does between two invocations, while their peer drops idle connections.

interface Case {
  readonly maxIdleSeconds: number;
  readonly drops: "with a reset" | "silently";
  readonly frozenSeconds: number;
}

interface Row extends Case {
  readonly dropped: number;
  readonly connections: number;
  readonly failed: readonly string[];
  readonly milliseconds: number;
}

const peers = [
  { maxIdleSeconds: 1, drops: "with a reset" },
  { maxIdleSeconds: 30, drops: "with a reset" },
  { maxIdleSeconds: 30, drops: "silently" },
] as const;
const freezes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [0.5, 2, 5, 20, 35];

/** A read and a listing of tags in an invocation, a freeze, and the same with a write in the next. */
async function measure(one: Case): Promise<Row> {
  const { maxIdleSeconds, drops, frozenSeconds } = one;
  await using peer = await startPeer({ maxIdleMs: maxIdleSeconds * 1000, drops });
  await using frozen = startFrozenProcess(peer.host);
  frozen.call("read registry");
  await frozen.result();
  const before = peer.connections();
  await frozen.freeze(frozenSeconds * 1000, "read registry write");
  const resumedAt = performance.now();
  const results = (await frozen.result()) as Readonly<Record<string, string>>;
  const milliseconds = performance.now() - resumedAt;
  const failed = Object.keys(results).filter((call) => results[call] !== "ok");
  return { ...one, failed, milliseconds, dropped: peer.dropped(), connections: peer.connections() - before };
}

const cases = freezes.flatMap((frozenSeconds) => peers.map((peer) => ({ ...peer, frozenSeconds })));
const rows = await Promise.all(cases.map(measure));
const head = ["frozen", "peer drops after", "requests dropped", "connections opened", "failed", "time"];
const table = new Table({ head, style: { head: [], border: [], compact: true } });
for (const { frozenSeconds, maxIdleSeconds, drops, dropped, connections, failed, milliseconds } of rows) {
  const peer = `${maxIdleSeconds} s, ${drops}`;
  const time = `${milliseconds.toFixed(0)} ms`;
  table.push([`${frozenSeconds} s`, peer, dropped, connections, failed.join(", ") || "none", time]);
}
console.log(table.toString());
if (rows.some(({ failed, frozenSeconds }) => failed.length > 0 && frozenSeconds >= 4)) process.exitCode = 1;
