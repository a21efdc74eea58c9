import type { Ending } from "./play.ts";

/** Returns what a workload and its record look like at the end. */
export function summarize({ choices, workload, record, canaries, digests }: Ending) {
  const { history = [], failedVersions = [], rollbackCount = 0, update } = record?.status ?? {};
  return {
    runs: choices.at(-1)?.image?.split(":").at(-1),
    history: history.map(({ version }) => version.replace(/sha256:\w+/, (digest) => digests.get(digest) ?? digest)),
    failedVersions,
    rollbackCount,
    isInFlight: update !== undefined,
    canaries,
    partition: workload.spec.updateStrategy?.rollingUpdate?.partition ?? 0,
  };
}
