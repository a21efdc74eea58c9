import { expect, test } from "vitest";
import { createEvaluator } from "../../../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { Unreachable } from "../../../../functions/ports/errors.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { config } from "../../../support/workloads/config-workloads.ts";
import { idleWorkload, tags } from "../fixtures.ts";

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

test("what is read of the configuration is remembered for all workloads, unless reading failed", async () => {
  const ports = fakePorts({ tags: { "shop/web": tags } });
  const reads: string[] = [];
  let isAnswering = false;
  const cluster: typeof ports.cluster = {
    ...ports.cluster,
    async readConfig(namespace, tracked, remember) {
      await remember(namespace, async () => {
        reads.push(namespace);
        if (!isAnswering) throw new Unreachable("no answer");
      });
      return ports.cluster.readConfig(namespace, tracked, remember);
    },
  };
  const evaluate = createEvaluator({ ...ports, cluster });
  const workloads = ["shop", "shop", "bank"].map((namespace, index) => {
    const one = idleWorkload(`web-${index}`, "registry.example/shop/web:1.0.0");
    return { ...one, ref: { ...one.ref, namespace }, config };
  });
  await expect(evaluate(workloads[0]!)).rejects.toThrow("no answer");
  isAnswering = true;
  await Promise.all(workloads.map(evaluate));
  expect(reads).toEqual(["shop", "shop", "bank"]);
});

test("a digest is verified once for all workloads of a namespace, whose logins are the same, unless nobody answered", async () => {
  const ports = fakePorts({ tags: { "shop/web": ["1.0.0", "1.1.0"] } });
  const asked: string[] = [];
  let isAnswering = false;
  const verifier = {
    scopes: [{ repositories: ["registry.example"], namespaces: null, mode: "enforce" }] as const,
    async verify({ namespace }: { readonly namespace: string }, { image }: { readonly image: string }) {
      asked.push(`${namespace} ${image}`);
      if (!isAnswering) throw new Unreachable("no answer");
      return { kind: "unverified", digest: null, reason: "no valid signature" } as const;
    },
  };
  const evaluate = createEvaluator({ ...ports, verifier });
  const workloads = ["shop", "shop", "bank"].map((namespace, index) => {
    const one = idleWorkload(`web-${index}`, "registry.example/shop/web:1.0.0");
    return { ...one, ref: { ...one.ref, namespace } };
  });
  await expect(evaluate(workloads[0]!)).rejects.toThrow("no answer");
  isAnswering = true;
  const decisions = await Promise.all(workloads.map(evaluate));
  expect(decisions.map(({ kind }) => kind)).toEqual(["hold", "hold", "hold"]);
  const image = "registry.example/shop/web:1.1.0";
  expect(asked).toEqual([`shop ${image}`, `shop ${image}`, `bank ${image}`]);
});

test.for([
  { notificationTargets: ["team-a"], kind: "problem" },
  { notificationTargets: ["team-b"], kind: "hold" },
  { notificationTargets: null, kind: "hold" },
])("a workload that names team-b has a problem if the targets $notificationTargets are others", async (known) => {
  const { kind, ...targets } = known;
  const ports = { ...fakePorts({ tags: { "shop/web": ["1.0.0"] } }), ...targets };
  const one = idleWorkload("web", "registry.example/shop/web:1.0.0");
  const subject = { ...one, policy: { ...one.policy, notify: ["team-b"] } };
  expect((await createEvaluator(ports)(subject)).kind).toBe(kind);
});
