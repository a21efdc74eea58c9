import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RequestCounts } from "./counts.ts";
import type { RegistryContent } from "./serve.ts";

export interface BenchRegistry {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Returns the requests since the last call. */
  takeCounts(): Promise<RequestCounts>;
  close(): void;
}

const program = fileURLToPath(new URL("process.ts", import.meta.url));

export async function startRegistry(content: RegistryContent): Promise<BenchRegistry> {
  const child = fork(program, [JSON.stringify(content)]);
  const nextMessage = async () => ((await once(child, "message")) as unknown[])[0];
  const host = (await nextMessage()) as string;
  return {
    host,
    async takeCounts() {
      const counts = nextMessage();
      child.send("counts");
      return (await counts) as RequestCounts;
    },
    close: () => child.disconnect(),
  };
}
