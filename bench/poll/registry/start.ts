import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Counts } from "./counts.ts";
import type { Stock } from "./serve.ts";

export interface BenchRegistry {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** What was asked since the last time. */
  counts(): Promise<Counts>;
  close(): void;
}

const program = fileURLToPath(new URL("process.ts", import.meta.url));

export async function startRegistry(stock: Stock): Promise<BenchRegistry> {
  const child = fork(program, [JSON.stringify(stock)]);
  const message = async () => ((await once(child, "message")) as unknown[])[0];
  const host = (await message()) as string;
  return {
    host,
    async counts() {
      const told = message();
      child.send("counts");
      return (await told) as Counts;
    },
    close: () => child.disconnect(),
  };
}
