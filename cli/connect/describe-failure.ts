import type { Command } from "commander";
import type { ContextOptions } from "../options/cluster.ts";
import { rightsHint } from "../output/describe-skipped.ts";

/**
 * Returns the message of an error that ended a command. If the cluster did not answer or does not know the user, it also names the API
 * server, the context and the options that help.
 */
export async function describeFailure(failure: unknown, command: Command | undefined): Promise<string> {
  const message = failure instanceof Error ? failure.message || failure.name : String(failure);
  const usesCluster = command?.options.some(({ long }) => long === "--kubeconfig") ?? false;
  if (!usesCluster || !(failure instanceof Error)) return message;
  const { loadKubeConfig } = await import("./kube-config.ts");
  const kubeConfig = await loadKubeConfig(command?.opts<ContextOptions>() ?? {}).catch(() => null);
  if (kubeConfig === null) return message;
  const server = kubeConfig.getCurrentCluster()?.server ?? "no server";
  const where = `${server}, context ${kubeConfig.getCurrentContext()}`;
  if (failure.name === "Unreachable") return `${where}: ${message}; ${fixOf(message)}`;
  const { statusBody, isForbidden, isUnauthenticated } = await import("../../functions/adapters/kubernetes/errors.ts");
  const { ApiException } = await import("@kubernetes/client-node");
  if (isUnauthenticated(failure)) {
    const user = kubeConfig.getCurrentUser()?.name ?? "of the context";
    return `${where}: ${message}: the API server does not accept the credentials of user ${user}; log in again, or use --context`;
  }
  if (isForbidden(failure) && /\bcannot \w+ resource/.test(message)) return `${where}: ${message}; ${rightsHint}`;
  if (!(failure instanceof ApiException)) return message;
  return `${where}: the API server answered ${failure.code}: ${statusBody(failure).message ?? "no message"}`;
}

function fixOf(message: string): string {
  if (message.includes("certificate is not trusted"))
    return "is certificate-authority-data of the kubeconfig of this cluster? use --kubeconfig or --context for another";
  if (message.includes("does not speak TLS")) return "if it speaks plain HTTP, write http:// in its kubeconfig";
  return "use --kubeconfig or --context for another cluster";
}
