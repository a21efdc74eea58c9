import { expect, test } from "vitest";
import type { VerificationOutcome } from "../../../functions/domain/signature/outcome.ts";
import type { Target } from "../../../functions/domain/workload/target/target.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { guardTask } from "../../../functions/workflows/workload-update/guard-writes.ts";
import { around, step } from "../../handlers/steps.ts";
import { digest, digestWorkload, restartTarget, tracking } from "../../support/digest-workloads.ts";
import { image, noon, workload } from "../../support/workloads.ts";

const proxy = { name: "proxy", image: "registry.example/shop/proxy:1" };
const chosen = { app: digest(2), proxy: digest(3) };
const ofTwo = digestWorkload({
  digests: { containers: [...tracking.containers, proxy], deployed: { app: digest(1), proxy: digest(1) } },
});
const person: Target = { kind: "restart", image, request: "31".padStart(32, "0") };
const asking = workload({ request: { verb: "restart", argument: null, token: "1", by: null } as never });
const verified = (of: number): VerificationOutcome => ({ kind: "verified", digest: digest(of), reason: "signed" });

/** Applies a restart, and returns what it writes, and what it asks besides its own verification. */
async function restart(
  of: Workload,
  target: Target,
  verification: VerificationOutcome,
  answers: Readonly<Record<string, VerificationOutcome>> = {},
  task: typeof applyUpdate | typeof adoptUpdate = applyUpdate,
) {
  const ports = around(of);
  const written: object[] = [];
  const { change } = ports.cluster;
  const cluster = {
    ...ports.cluster,
    change: async (...args: Parameters<typeof change>) => {
      written.push({ image: args[1].image, written: args[1].written });
      return change(...args);
    },
  };
  const asked: string[] = [];
  const verifier = {
    scopes: [{ repositories: ["registry.example/shop"], namespaces: null, mode: "enforce" }] as const,
    async verify(_: unknown, { image: one }: { readonly image: string }) {
      asked.push(one);
      return answers[one] ?? { kind: "unverified" as const, digest: null, reason: "no valid signature" };
    },
  };
  const input = {
    ...step,
    target,
    strategy: "restart",
    digests: `app:${chosen.app},proxy:${chosen.proxy}`,
    verification,
  } as const;
  const result = await guardTask(task as typeof applyUpdate)({ ...ports, cluster, verifier }, input).catch(
    (error: Error) => error,
  );
  return { result, written, asked, restartedAt: ports.cluster.get().restartedAt };
}

const secondImage = `${proxy.image}@${chosen.proxy}`;

test("a restart for the digests of two images pins each container to what was verified for it", async () => {
  const { result, written, asked } = await restart(ofTwo, restartTarget, verified(2), { [secondImage]: verified(3) });
  expect(result).toMatchObject({ kind: "applied" });
  expect([written, asked]).toEqual([[{ image: undefined, written: chosen }], [secondImage]]);
});

test("a restart for the digests of two images writes nothing if the second is not signed", async () => {
  const { result, written, restartedAt } = await restart(ofTwo, restartTarget, verified(2));
  expect(result).toMatchObject({ name: "ImageNotVerified", message: expect.stringContaining(secondImage) });
  expect([written, restartedAt]).toEqual([[], null]);
});

test("a restart that a person asks for pins the image to what was verified", async () => {
  const { written, asked } = await restart(asking, person, verified(7));
  expect([written, asked]).toEqual([[{ image: `${image}@${digest(7)}`, written: undefined }], []]);
});

test("a restart that was claimed, and is taken over, pins them too", async () => {
  const inFlight = {
    target: restartTarget,
    startedAt: noon,
    execution: step.execution,
    previousImage: null,
    digests: chosen,
    phase: "restart",
    isApplied: false,
  } as const;
  const claimed = { ...ofTwo, inFlight };
  const { written } = await restart(claimed, restartTarget, verified(2), { [secondImage]: verified(3) }, adoptUpdate);
  expect(written).toEqual([{ image: undefined, written: chosen }]);
});
