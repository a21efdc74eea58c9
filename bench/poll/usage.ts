import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Resources that one process used from start to end. */
export interface Usage {
  readonly peakBytes: number;
  readonly cpuSeconds: number;
}

// Every Node.js process of a contender imports this before its program: see measure-process.ts.
const directory = process.env["PAWL_BENCH_USAGE"];
if (directory !== undefined) {
  process.on("exit", () => writeFileSync(join(directory, `${process.pid}.json`), JSON.stringify(readUsage())));
}

function readUsage(): Usage {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return { peakBytes: readPeakBytes(), cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000 };
}

/** On Linux a process inherits `maxRSS` from its parent, but not its own high-water mark `VmHWM`. */
function readPeakBytes(): number {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const ownKiB = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return Number(ownKiB ?? process.resourceUsage().maxRSS) * 1024;
}
