import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What one process used in its whole life. */
export interface Usage {
  readonly peakBytes: number;
  readonly cpuSeconds: number;
}

// Imported before the program by every Node process of a contender, also by one that it starts: see measured.ts.
const directory = process.env["PAWL_BENCH_USAGE"];
if (directory !== undefined) {
  process.on("exit", () => writeFileSync(join(directory, `${process.pid}.json`), JSON.stringify(usage())));
}

function usage(): Usage {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return { peakBytes: peakBytes(), cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000 };
}

/** Linux lets a process inherit the `maxRSS` of the one that started it; its own high-water mark begins at nothing. */
function peakBytes(): number {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const ownKiB = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return Number(ownKiB ?? process.resourceUsage().maxRSS) * 1024;
}
