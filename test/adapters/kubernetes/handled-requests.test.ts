import { expect, test } from "vitest";
import type { AutoUpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/object.ts";
import { applyToStatus } from "../../../functions/adapters/kubernetes/auto-update/status.ts";
import { annotations } from "../../../functions/domain/workload/annotations.ts";
import { noon } from "../../support/workloads.ts";
import { autoUpdateOf, readBuiltIn } from "./reading.ts";

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
  { when: "it was handled last", tokens: ["t-0", "t-1"], isNew: false },
  { when: "a later one was handled, and a GitOps tool restored it", tokens: ["t-1", "t-2", "t-3"], isNew: false },
  { when: "none was handled", tokens: [], isNew: true },
  { when: "others were handled", tokens: ["t-0", "t-2"], isNew: true },
])("the request t-1 is new if $when: $isNew", async ({ tokens, isNew }) => {
  expect((await requestOf("push 1.0.0 t-1", handle(tokens))) !== null).toBe(isNew);
});

test("the tokens of the last 20 requests before the last one are known, each once", () => {
  const tokens = Array.from({ length: 30 }, (_, index) => `t-${index}`);
  const { lastRequest } = handle([...tokens, "t-29", "t-29"]);
  expect(lastRequest).toMatchObject({ token: "t-29", earlierTokens: tokens.slice(9, 29).toReversed() });
  expect(handle(["t-1", "t-1"]).lastRequest).not.toHaveProperty("earlierTokens");
});
