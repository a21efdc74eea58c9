import { expect, test } from "vitest";
import { createEvaluator } from "../../../functions/workflows/poll/create-evaluator.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { config } from "../../support/config-workloads.ts";
import { idleWorkload, tags } from "./fixtures.ts";

test("pull secrets are read once for workloads with the same pull secrets", async () => {
  const ports = fakePorts({ tags: { "shop/web": tags } });
  const reads: string[] = [];
  const cluster: typeof ports.cluster = {
    ...ports.cluster,
    pullSecrets: async ({ pull }) => {
      reads.push(pull.secrets[0] ?? pull.serviceAccount);
      return pull.secrets;
    },
  };
  const evaluate = createEvaluator({ ...ports, cluster });
  const pulls = [["own"], [], ["own"], ["other"], []];
  const workloads = pulls.map((secrets, index) => ({
    ...idleWorkload(`web-${index}`, "registry.example/shop/web:1.0.0"),
    pull: { secrets, serviceAccount: "default" },
  }));
  await Promise.all(workloads.map(evaluate));
  expect(reads).toEqual(["own", "default", "other"]);
  expect(ports.listed).toHaveLength(3);
});

test("the ConfigMaps of a namespace are listed once, and only for workloads that use some", async () => {
  const ports = fakePorts({ tags: { "shop/web": tags } });
  const lists: string[] = [];
  const cluster: typeof ports.cluster = {
    ...ports.cluster,
    async listConfigMaps(namespace) {
      lists.push(namespace);
      return new Map();
    },
  };
  const evaluate = createEvaluator({ ...ports, cluster });
  const [reference] = config.references;
  const secrets = { ...config, references: [{ ...reference!, kind: "secret" as const }] };
  const workloads = ["shop", "shop", "bank", "none"].map((namespace, index) => {
    const one = idleWorkload(`web-${index}`, "registry.example/shop/web:1.0.0");
    return { ...one, ref: { ...one.ref, namespace }, config: namespace === "none" ? secrets : config };
  });
  await Promise.all(workloads.map(evaluate));
  expect(lists).toEqual(["shop", "bank"]);
});
