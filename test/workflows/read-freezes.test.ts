import { expect, test } from "vitest";
import { readFreezes } from "../../functions/workflows/read-freezes.ts";

const b = { from: null, to: null, reason: "b", by: null, namespaces: null, rollBack: false };

test.for([
  { when: "there is no ConfigMap", text: null, freezes: [] },
  { when: "it is empty", text: "\n", freezes: [] },
  { when: "it has one", text: "- reason: Christmas", freezes: [{ reason: "Christmas", from: null, to: null }] },
])("freezes are known if $when", async ({ text, freezes }) => {
  const found = await readFreezes({ readFreeze: async () => ({ kind: "text", text }) });
  expect(found).toMatchObject({ kind: "known", freezes });
});

test.for([
  { when: "it is no YAML", text: "- {", reason: "ConfigMap pawl-freeze: freeze" },
  { when: "it is invalid", text: "- { until: 2026-12-27 }", reason: "ConfigMap pawl-freeze: [0]" },
  { when: "it is too long", text: "#".repeat(100_001), reason: "has more than 100000 characters" },
])("freezes are unknown, and so closed, if $when", async ({ text, reason }) => {
  const found = await readFreezes({ readFreeze: async () => ({ kind: "text", text }) });
  expect(found).toEqual({ kind: "unknown", reason: expect.stringContaining(reason) });
});

test.for([
  { when: "both are known", text: "- reason: a", of: { kind: "known", freezes: [b] }, expected: { kind: "known" } },
  { when: "a calendar is not", text: "- reason: a", of: { kind: "unknown", reason: "no" }, expected: { reason: "no" } },
  { when: "the ConfigMap is not", text: "- {", of: { kind: "known", freezes: [b] }, expected: { kind: "unknown" } },
] as const)("those of the deployment count too: $when", async ({ text, of, expected }) => {
  const found = await readFreezes({ readFreeze: async () => ({ kind: "text", text, ofDeployment: of }) });
  expect(found).toMatchObject(expected);
  expect("freezes" in found ? found.freezes.map(({ reason }) => reason) : ["a", "b"]).toEqual(["a", "b"]);
});

test("freezes are unknown if the ConfigMap must not be read", async () => {
  const found = await readFreezes({ readFreeze: async () => ({ kind: "unreadable", reason: "forbidden" }) });
  expect(found).toEqual({ kind: "unknown", reason: "forbidden" });
});
