import { Command } from "commander";
import { InvalidInput } from "../exit-codes.ts";
import { openDashboard } from "../dashboard/open-dashboard.ts";
import { awaitInterrupt } from "../input/interrupt.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { type NodePoolOptions, withNodePoolOptions } from "../options/node-pool.ts";
import { type RegistryOptions, withRegistryOptions } from "../options/registry.ts";
import { printStdout } from "../output/print.ts";

interface Options extends ClusterOptions, RegistryOptions, NodePoolOptions {
  readonly port: string;
  readonly allowActions?: true;
}

export function createCommand(): Command {
  const command = new Command("dashboard").description(
    "Serves a live web page of all workloads on loopback, with the rights of the kubeconfig's user, until you press Ctrl-C. " +
      "Its address contains a token: a person who has it sees what you see.",
  );
  return withNodePoolOptions(withRegistryOptions(withClusterOptions(command)))
    .option("--port <port>", "port on 127.0.0.1 (default: a free one)", "0")
    .option("--allow-actions", "let the page pause, resume, promote, abort, reset, retry, restart, push and roll back")
    .addHelpText("after", "\nExamples:\n  pawl dashboard --context staging\n  pawl dashboard -n shop --port 8080")
    .action(runDashboard);
}

async function runDashboard({ port, ...options }: Options): Promise<void> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new InvalidInput("--port: is not a port from 0 to 65535");
  const dashboard = await openDashboard({
    ...options,
    port: Number(port),
    clock: { now: () => new Date(), waitScale: 1 },
  });
  printStdout(`Dashboard: ${dashboard.url}\nPress Ctrl-C to stop.\n`);
  await awaitInterrupt();
  await dashboard.close();
}
