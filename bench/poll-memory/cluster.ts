import { KubeConfig } from "@kubernetes/client-node";
import { type ControlPlane, startControlPlane } from "../../test/support/control-plane.ts";
import { installCrd } from "../../test/support/crds/install.ts";
import { type BenchRegistry, startRegistry } from "../poll/registry/start.ts";

export const workloadsPerRepository = 10;
export const tagsPerRepository = 200;

/** Starts a real API server without controllers, and a stub registry for so many workloads, and stops both after `use`. */
export async function withCluster(
  workloads: number,
  use: (plane: ControlPlane, registry: BenchRegistry) => Promise<void>,
): Promise<void> {
  const images = Math.ceil(workloads / workloadsPerRepository);
  const registry = await startRegistry({ images, tags: tagsPerRepository, latencyMilliseconds: 10, pageSize: 100 });
  const plane = await startControlPlane({ controllers: false });
  try {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromString(plane.kubeconfig);
    await installCrd(kubeConfig, "auto-update");
    await use(plane, registry);
  } finally {
    registry.close();
    await plane.stop();
  }
}
