import { expect, test } from "vitest";
import { createEvaluator } from "../../../functions/workflows/poll/create-evaluator.ts";
import { fakePorts } from "../../support/fake-ports.ts";
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
