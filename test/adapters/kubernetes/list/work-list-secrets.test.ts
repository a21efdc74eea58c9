import { expect, onTestFinished, test } from "vitest";
import { createKubernetesCluster } from "../../../../functions/adapters/kubernetes/cluster.ts";
import { formatLine } from "../../../../functions/workflows/poll/fan-out/workload-line.ts";
import { manifest } from "../../../contracts/cluster-fixtures.ts";
import { startCluster } from "../embedded-cluster.ts";

const secret = "hunter2-not-to-be-stored";

/** Returns a built-in workload with the secret wherever a pod template may have one. */
function withSecrets(kind: "Deployment" | "StatefulSet" | "DaemonSet"): object {
  const { spec, metadata, ...rest } = manifest(kind) as unknown as {
    readonly metadata: { readonly annotations: object };
    readonly spec: {
      readonly template: { readonly metadata: object; readonly spec: { readonly containers: object[] } };
    };
  };
  const env = [{ name: "PASSWORD", value: secret }];
  const containers = spec.template.spec.containers.map((container) => ({ ...container, env, args: [secret] }));
  const template = {
    metadata: { ...spec.template.metadata, annotations: { token: secret } },
    spec: { ...spec.template.spec, containers },
  };
  const annotations = {
    ...metadata.annotations,
    "kubectl.kubernetes.io/last-applied-configuration": secret,
    own: secret,
  };
  return { ...rest, metadata: { ...metadata, namespace: "shop", annotations }, spec: { ...spec, template } };
}

test("a work list contains no value of a pod template, nor of an annotation that is not Pawl's", async () => {
  const objects = (["Deployment", "StatefulSet", "DaemonSet"] as const).map(withSecrets);
  const embedded = await startCluster({ objects });
  onTestFinished(() => embedded.close());
  const { kubeConfig } = embedded;
  const settings = { name: "c", kubeConfig, namespaces: null, releases: true, now: () => new Date(), warn: () => {} };
  const lines: string[] = [];
  for await (const one of createKubernetesCluster(settings).list()) lines.push(formatLine(one));
  expect(lines).toHaveLength(objects.length);
  expect(lines.join()).toContain("registry.invalid:5000/shop/app:1.0.0");
  expect(lines.join()).not.toContain(secret);
});
