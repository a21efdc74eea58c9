import { createInterface } from "node:readline/promises";
import { loadKubeConfig } from "../connect/kube-config.ts";
import { InvalidInput } from "../exit-codes.ts";
import type { ClusterOptions } from "../options/cluster.ts";
import { printStderr } from "../output/print.ts";

/**
 * Names the cluster that is about to be changed, and asks on a terminal unless `yes` is set. A script is not asked: it named its
 * context. Throws `InvalidInput` if the answer is not yes.
 */
export async function confirmCluster(options: ClusterOptions, yes: boolean): Promise<void> {
  const kubeConfig = await loadKubeConfig(options);
  const user = kubeConfig.getCurrentUser()?.name ?? "no user";
  const server = kubeConfig.getCurrentCluster()?.server ?? "";
  printStderr(`updates workloads of context ${kubeConfig.getCurrentContext()} at ${server} as ${user}`);
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return;
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and the end of the input are no.
  const answer = await reader.question("Continue? [y/N] ").catch(() => "");
  reader.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new InvalidInput("not started; --yes starts without this question");
}
