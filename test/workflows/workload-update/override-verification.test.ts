import { expect, test } from "vitest";
import type { Override } from "../../../functions/domain/gates/override.ts";
import { recordStart } from "../../../functions/domain/workload/record/update-record.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { StepInput } from "../../../functions/contract/workload-update.ts";
import { guardTask } from "../../../functions/workflows/workload-update/guard-writes.ts";
import { startFailure } from "../../../functions/workflows/workload-update/start-update.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { step } from "../../handlers/steps.ts";
import { noon, target as image, workload } from "../../support/workloads.ts";

const digest = `sha256:${"a".repeat(64)}`;
const override: Override = {
  user: "anna",
  gates: ["signature"],
  version: "1.1.0",
  digest,
  token: "t-1",
  at: "2026-11-20T12:00:00Z",
  reason: "incident 7",
};
const request = { verb: "push", argument: "1.1.0", token: "t-1", by: "anna" } as const;
const pushed = (parts: Partial<Workload> = {}): Workload => ({
  ...workload(),
  request,
  overrides: [override],
  ...parts,
});
const unverified = { kind: "unverified", digest, reason: "no valid signature" } as const;
const input: StepInput = { ...step, target: { kind: "image", image, digest }, verification: unverified };

/** Writes the image of the input as the step does that applies it, and returns what runs then. */
async function apply(given: Workload, asked: StepInput, problem: string | null = null): Promise<string | null> {
  const ports = fakePorts({ workloads: [given], requestProblem: () => problem });
  const task = guardTask<"ApplyUpdate">(async (guarded, judged) => {
    const current = guarded.cluster === undefined ? null : await guarded.cluster.read(judged.workload);
    const claim = { kind: "lost", reason: "no claim" } as const;
    const failure = await startFailure(guarded, current, claim, judged, [judged.strategy]);
    if (current === null || failure !== null) return { kind: "superseded", reason: failure ?? "", waitSeconds: 0 };
    const { target } = judged;
    if (target.kind !== "image") throw new Error("no image");
    await guarded.cluster.change(current, recordStart(current, { target, digests: null }, judged.execution, noon));
    return { kind: "applied", reason: "", waitSeconds: 0 };
  });
  await task(ports, { ...asked, workload: given.ref });
  return ports.cluster.get().image;
}

test("an override applies the one digest that is not signed, and writes it", async () => {
  expect(await apply(pushed(), input)).toBe(`${image}@${digest}`);
});

test.for<{ when: string; given?: Partial<Workload>; asked?: Partial<StepInput>; problem?: string }>([
  { when: "there is no override", given: { overrides: [] } },
  { when: "it is for another gate", given: { overrides: [{ ...override, gates: ["approval"] }] } },
  { when: "nobody has pushed it", given: { request: null } },
  { when: "it is for another digest", given: { overrides: [{ ...override, digest: `sha256:${"b".repeat(64)}` }] } },
  { when: "no admission policy proves who wrote it", problem: "not in force" },
  { when: "the input names no digest", asked: { target: { kind: "image", image } } },
])("nothing is applied if $when", async ({ given = {}, asked = {}, problem = null }) => {
  expect(await apply(pushed(given), { ...input, ...asked }, problem)).toBe(workload().image);
});
