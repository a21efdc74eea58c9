import type { AutoUpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { type RecordWrite, recordWrites } from "../record/attempts.ts";
import { maxRollbacks } from "../fleet.ts";
import type { Story } from "./violation.ts";

/** Returns what is wrong with the counters: each write changes them as what it adds to the history, or a reset, says. */
export function checkCounters({ facts }: Story): readonly string[] {
  return recordWrites(facts).flatMap((write) => [...checkCount(write), ...checkCircuit(write), ...checkBlame(write)]);
}

/** An attempt that is withdrawn, or superseded, counts if its pods failed: `checkAttempts` knows whether they did. */
function checkCount({ before, after, added, revision }: RecordWrite): readonly string[] {
  const counted = added.reduce((count, { result }) => {
    return result === "Healthy" ? 0 : result === "RolledBack" ? count + 1 : count;
  }, before.rollbackCount ?? 0);
  const expected = isReset(before, after) ? 0 : counted;
  const actual = after.rollbackCount ?? 0;
  const unproven = added.filter(({ result }) => result === "Withdrawn" || result === "Superseded").length;
  if (actual >= expected && actual <= expected + unproven) return [];
  return [`rollbackCount became ${actual} instead of ${expected} (revision ${revision})`];
}

function checkCircuit({ before, after, added, revision }: RecordWrite): readonly string[] {
  const [was, is] = [before.circuitOpen ?? false, after.circuitOpen ?? false];
  if (is && !was && (after.rollbackCount ?? 0) < maxRollbacks) {
    return [`the circuit opened after ${after.rollbackCount ?? 0} rollbacks (revision ${revision})`];
  }
  if (!is && was && !isReset(before, after) && added.at(-1)?.result !== "Healthy") {
    return [`the circuit closed by itself (revision ${revision})`];
  }
  return [];
}

function checkBlame({ before, after, added, revision }: RecordWrite): readonly string[] {
  const [is, was] = [after.failedVersions ?? [], before.failedVersions ?? []];
  const rolledBack = added.filter(({ result }) => result === "RolledBack").map(({ version }) => version);
  // A digest that nothing could replace is only counted.
  const unblamed = rolledBack.filter((version) => !version.includes("@") && !is.includes(version));
  const known = new Set([...was, ...rolledBack]);
  return [
    ...is.filter((version) => !known.has(version)).map((version) => `${version} was blamed without a rollback`),
    ...unblamed.map((version) => `${version} was rolled back, not blamed`),
    ...was.filter((version) => !is.includes(version)).map((version) => `${version} is not blamed any more`),
  ].map((message) => `${message} (revision ${revision})`);
}

function isReset(before: AutoUpdateStatus, { lastRequest }: AutoUpdateStatus): boolean {
  return lastRequest?.verb === "reset" && lastRequest.token !== before.lastRequest?.token;
}
