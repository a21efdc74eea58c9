import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CoreV1Api, type KubeConfig } from "@kubernetes/client-node";

/**
 * Serves the running pods of a namespace as targets of `http_sd_configs`, with the labels of `kubernetes_sd_configs`, which the Prometheus of
 * Debian is built without. `targetOf` says where to read the metrics of a pod with this image.
 */
export async function startPodDiscovery(
  kubeConfig: KubeConfig,
  namespace: string,
  targetOf: (image: string) => string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const readTargets = async () => {
    const { items } = await core.listNamespacedPod({ namespace, fieldSelector: "status.phase=Running" });
    return items.map(({ metadata, spec }) => ({
      targets: [targetOf(spec?.containers[0]?.image ?? "")],
      labels: {
        __meta_kubernetes_namespace: namespace,
        __meta_kubernetes_pod_name: metadata?.name ?? "",
        __meta_kubernetes_pod_label_app: metadata?.labels?.["app"] ?? "",
      },
    }));
  };
  const server = createServer((_, response) => {
    readTargets().then(
      (targets) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(targets)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
