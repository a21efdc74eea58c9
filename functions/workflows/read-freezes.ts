import { parseYaml } from "../domain/text/parse-yaml.ts";
import { createFreezeGate, type Freezes, mergeFreezes } from "../domain/gates/freeze.ts";
import type { Gate, GateSubject } from "../domain/gates/gate.ts";
import { parseFreezes } from "../domain/gates/parse-freezes.ts";
import { scheduleGate } from "../domain/gates/schedule.ts";
import { gatesAtServerTime } from "../domain/gates/server-time.ts";
import { windowsGate } from "../domain/gates/windows.ts";
import { type Cluster, freezeName, type FreezeText } from "../ports/cluster.ts";

/** In characters. The API server allows ten times as much. */
const maxLength = 100_000;

/** Reads the freezes of a cluster and of the deployment: none if there is no ConfigMap. Throws `Unreachable` and `Throttled`. */
export async function readFreezes({ readFreeze }: Pick<Cluster, "readFreeze">): Promise<Freezes> {
  return parseFound(await readFreeze());
}

/**
 * Returns the gate of the freezes, and, if the clock of the API server differs from that of Pawl, all that depend on the time by that one
 * too. Throws `Unreachable` and `Throttled`.
 */
export async function readTimeGates(cluster: Pick<Cluster, "readFreeze">): Promise<readonly Gate[]> {
  return readFreezeGates(cluster, [scheduleGate, windowsGate]);
}

/** Returns the same of a node pool, whose windows are no gate. */
export async function readFreezeGates<Subject extends GateSubject = GateSubject>(
  { readFreeze }: Pick<Cluster, "readFreeze">,
  timed: readonly Gate<Subject>[] = [],
): Promise<readonly Gate<Subject>[]> {
  const found = await readFreeze();
  const freezeGate = createFreezeGate(parseFound(found));
  return [freezeGate, ...gatesAtServerTime<Subject>(found.serverAheadSeconds ?? 0, [...timed, freezeGate])];
}

function parseFound(found: FreezeText): Freezes {
  const { ofDeployment } = found;
  const ofCluster = parseFreezeText(found);
  return ofDeployment === undefined ? ofCluster : mergeFreezes(ofCluster, ofDeployment);
}

/** Parses what is in the ConfigMap. */
export function parseFreezeText(found: FreezeText): Freezes {
  if (found.kind === "unreadable") return { kind: "unknown", reason: found.reason };
  if (found.text === null || found.text.trim() === "") return { kind: "known", freezes: [] };
  if (found.text.length > maxLength) return unknown(`has more than ${maxLength} characters`);
  const parsed = parseFreezes(parseYaml(found.text));
  if (parsed.kind === "valid") return { kind: "known", freezes: parsed.value };
  return unknown(parsed.problems.map(({ reason }) => reason).join("; "));
}

function unknown(reason: string): Freezes {
  return { kind: "unknown", reason: `ConfigMap ${freezeName}: ${reason}` };
}
