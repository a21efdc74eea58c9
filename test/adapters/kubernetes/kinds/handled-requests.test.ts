import { afterAll, describe, expect, test } from "vitest";
import type { AutoUpdateStatus } from "../../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { applyToStatus } from "../../../../functions/adapters/kubernetes/auto-update/status/status.ts";
import { answerConditions } from "../../../../functions/adapters/kubernetes/kinds/record/handled-request.ts";
import { annotations } from "../../../../functions/domain/workload/policy/annotations.ts";
import { answerRequest } from "../../../../functions/domain/workload/request/request.ts";
import type { WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import { change, createWorkload, type Harness, openHarness, read } from "../../../contracts/cluster/harness.ts";
import { noon } from "../../../support/workloads.ts";
import { autoUpdateOf, readBuiltIn, readClaw } from "../reading.ts";
import { openCanary, startCanaryCluster } from "../stateful-canary/stateful-canary-harness.ts";
import { requestOf as parsed } from "../../../support/request-of.ts";

const cluster = await startCanaryCluster();
afterAll(() => cluster.close());

const claim = { holder: "pawl", expiresAt: noon, targetUID: "u-1", targetGeneration: 1, hasCanary: false };

function handle(tokens: readonly string[]): AutoUpdateStatus {
  return tokens.reduce<AutoUpdateStatus>(
    (before, token) => applyToStatus(before, { answer: { token, verb: "reset", result: "done" } }, claim, noon),
    {},
  );
}

async function requestOf(text: string, status: AutoUpdateStatus) {
  const { metadata, ...rest } = autoUpdateOf("Deployment", { status });
  const annotated = { ...rest, metadata: { ...metadata, annotations: { [annotations.request]: text } } };
  return (await readBuiltIn("Deployment", {}, {}, annotated)).request;
}

test.for([
  { when: "it was handled last", tokens: ["t-0", "t-1"], verb: undefined },
  { when: "a later one was handled, and a GitOps tool restored it", tokens: ["t-1", "t-2", "t-3"], verb: "repeated" },
  { when: "none was handled", tokens: [], verb: "push" },
  { when: "others were handled", tokens: ["t-0", "t-2"], verb: "push" },
])("the request t-1 is read as $verb if $when", async ({ tokens, verb }) => {
  expect((await requestOf("push 1.0.0 t-1", handle(tokens)))?.verb).toBe(verb);
});

test("the tokens of the last 20 requests before the last one are known, each once", () => {
  const tokens = Array.from({ length: 30 }, (_, index) => `t-${index}`);
  const { lastRequest } = handle([...tokens, "t-29", "t-29"]);
  expect(lastRequest).toMatchObject({ token: "t-29", earlierTokens: tokens.slice(9, 29).toReversed() });
  expect(handle(["t-1", "t-1"]).lastRequest).not.toHaveProperty("earlierTokens");
});

async function openBuiltIn() {
  const harness = await openHarness(cluster.kubeConfig);
  const ref = await createWorkload(harness, "Deployment");
  await change(harness, ref, () => ({ updateRecord: { failedVersions: [] } }));
  return { harness, ref };
}

async function openClaw() {
  const harness = await openHarness(cluster.kubeConfig);
  return { harness, ref: await createWorkload(harness, "Claw") };
}

async function openStatefulCanary() {
  const { harness, input, proxy } = await openCanary(cluster);
  await proxy[Symbol.asyncDispose]();
  return { harness, ref: input.workload };
}

describe.for([
  { kind: "Deployment", open: openBuiltIn },
  { kind: "Claw", open: openClaw },
  { kind: "StatefulCanary", open: openStatefulCanary },
])("a GitOps tool restores an earlier request on a $kind", ({ open }) => {
  /** Writes the annotation, and answers what is read of it as a poll does. Returns the verb that is answered, if any. */
  async function write(harness: Harness, ref: WorkloadRef, text: string): Promise<string | undefined> {
    await harness.cluster.request(await read(harness, ref), parsed(text));
    const { request } = await read(harness, ref);
    if (request !== null) await change(harness, ref, (workload) => answerRequest(workload, request));
    expect((await read(harness, ref)).request).toBeNull();
    return request?.verb;
  }

  test("after each of 22 later ones: it changes nothing, and its status says so", async () => {
    const { harness, ref } = await open();
    const circuitOpen = { updateRecord: { circuitOpen: true, rollbackCount: 3 } };
    expect(await write(harness, ref, "reset t-1")).toBe("reset");
    await change(harness, ref, () => circuitOpen);
    for (let later = 2; later <= 23; later += 1) {
      expect(await write(harness, ref, `abort t-${later}`)).toBe("abort");
      expect(await write(harness, ref, "reset t-1")).toBe("repeated");
    }
    expect(await write(harness, ref, "reset t-1")).toBeUndefined();
    expect(await read(harness, ref)).toMatchObject({
      updateRecord: { circuitOpen: true, rollbackCount: 3 },
      lastRequest: { token: "t-1", result: "refused: it was handled before; write it with another token" },
    });
    expect(await write(harness, ref, "reset t-24")).toBe("reset");
    expect((await read(harness, ref)).updateRecord.circuitOpen).toBe(false);
  });
});

test("the longest answer and the longest tokens are read from the condition of a Claw", async () => {
  const tokens = Array.from({ length: 25 }, (_, index) => `${index}-`.padEnd(128, "x"));
  const conditions = tokens.reduce<ReturnType<typeof answerConditions>>(
    (present, token) => answerConditions({ answer: { token, verb: "push", result: "y".repeat(5000) } }, present),
    [],
  );
  const written = conditions.map((condition) => ({ ...condition, lastTransitionTime: "2026-11-20T12:00:00Z" }));
  for (const [index, token] of tokens.entries()) {
    const { request, lastRequest } = await readClaw(
      { annotations: { [annotations.request]: `push 1.0.0 ${token}` } },
      { status: { conditions: written } },
    );
    expect(lastRequest).toMatchObject({ token: tokens.at(-1), verb: "push", result: expect.stringMatching(/^y+…$/) });
    expect(request?.verb).toBe(index === 24 ? undefined : index < 4 ? "push" : "repeated");
  }
  expect(conditions[0]?.message.length).toBeLessThan(4096);
});
