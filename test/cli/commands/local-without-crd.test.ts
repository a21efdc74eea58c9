import { expect, onTestFinished, test } from "vitest";
import { crdMissing } from "../../../functions/adapters/kubernetes/auto-update/unrecordable.ts";
import { builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";
import { spawnPawl } from "../run-pawl.ts";

async function startShop(): Promise<ClusterFixture> {
  const fixture = await startClusterFixture({ "shop/app": ["1.0.0", "1.1.0"] }, (registry) => [
    builtIn("Deployment", "web", `${registry}/shop/app:1.0.0`),
  ]);
  onTestFinished(() => fixture.close());
  return fixture;
}

test("pawl local names the cluster, says that the CRD is missing, and then what no update can be recorded for", async () => {
  const fixture = await startShop();
  await fixture.remove("apiextensions.k8s.io/v1/customresourcedefinitions/autoupdates.pawl.dev");
  const flags = ["--exit-when-idle", "--insecure-registry", fixture.registry];
  const { stdout, stderr, status } = await spawnPawl(["local", ...flags], { env: { KUBECONFIG: fixture.kubeconfig } });
  const [context, missing] = stderr.split("\n");
  expect(context).toMatch(/^pawl: updates workloads of context embedded at http:\/\/127\.0\.0\.1:\d+ as \w+/);
  expect(missing).toBe(`pawl: ${crdMissing}`);
  expect(stdout).toContain("shop/web");
  expect(stdout).toContain("autoupdates.pawl.dev");
  expect(status).toBe(0);
}, 60_000);
