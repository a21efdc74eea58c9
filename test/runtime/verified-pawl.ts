import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { VerifyRule } from "../../functions/domain/signature/rule.ts";
import { signaturePredicate } from "../../functions/domain/signature/statement.ts";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { createClock } from "../../infra/local/runtime/clock.ts";
import { startLocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { startArtifactRegistry } from "../support/signatures/artifact-registry.ts";
import { createKeyPair, createKeySigner } from "../support/signatures/signer.ts";

const keys = createKeyPair();
const signer = createKeySigner(keys);

function deployment(image: string, annotations: object, replicas: number, template: object) {
  const labels = { app: "web" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: "web",
      namespace: "shop",
      annotations: { "pawl.dev/auto-update": "true", "pawl.dev/health-timeout": "1m", ...annotations },
    },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image, ...template }] } },
    },
  };
}

interface Given {
  readonly tags?: string[];
  readonly mode?: VerifyRule["mode"] | null;
  readonly annotations?: object;
  readonly replicas?: number;
  readonly isHealthy?: (image: string) => boolean;
  /** Fields of its container. */
  readonly container?: object;
  readonly objects?: readonly object[];
}

/** Starts the local system with a Deployment of `team/app:1.0.0` and a rule for that repository. */
export async function startVerifiedPawl({
  tags = ["1.0.0", "1.1.0"],
  mode = "enforce",
  annotations = {},
  replicas = 1,
  isHealthy = () => true,
  container = {},
  objects = [],
}: Given) {
  const clock = createClock({ speed: 200, since: new Date() });
  const registry = await startArtifactRegistry({ tags });
  const image = `${registry.host}/team/app`;
  const cluster = await startEmbeddedCluster({
    now: clock.now,
    sleep: clock.sleep,
    health: isHealthy,
    objects: [...objects, deployment(`${image}:1.0.0`, annotations, replicas, container)],
  });
  const folder = await mkdtemp(join(tmpdir(), "pawl-verified-"));
  const [kubeconfig, rules] = [join(folder, "kubeconfig"), join(folder, "verify.json")];
  await writeFile(kubeconfig, cluster.kubeconfig);
  const key = { kind: "key", name: "release.pub", publicKey: keys.pem, transparencyLog: "optional", trustedRoot: null };
  const requirements = [{ predicateType: signaturePredicate, any: [key], builder: null }];
  const rule = { repositories: [image], namespaces: null, mode, requirements };
  await writeFile(rules, JSON.stringify(mode === null ? [] : [rule]));
  const ends: string[] = [];
  const pawl = await startLocalPawl({
    cluster: "local",
    clock,
    environment: { PAWL_KUBECONFIG: kubeconfig, PAWL_INSECURE_REGISTRIES: registry.host, PAWL_VERIFY_FILE: rules },
    onStateChange: ({ type, state }) => void (/^(Succeed|Fail)StateEntered$/.test(type) && ends.push(state ?? "")),
  });
  onTestFinished(async () => {
    await pawl.close();
    await cluster.close();
    await registry[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  return {
    registry,
    pawl,
    image,
    ends,
    url: cluster.url,
    sign: async (tag: string) => {
      const digest = registry.digestOf(tag);
      registry.attach("referrers", await signer.bundle(digest), digest);
    },
    async poll() {
      const report = await pawl.poll();
      await eventually("all executions end", async () => pawl.running() === 0);
      return report;
    },
    async workload() {
      for await (const one of pawl.ports.cluster.list()) return one;
      throw new Error("there is no workload");
    },
  };
}
