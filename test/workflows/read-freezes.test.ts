import { expect, test } from "vitest";
import { readFreezes } from "../../functions/workflows/read-freezes.ts";

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

test("freezes are unknown if the ConfigMap must not be read", async () => {
  const found = await readFreezes({ readFreeze: async () => ({ kind: "unreadable", reason: "forbidden" }) });
  expect(found).toEqual({ kind: "unknown", reason: "forbidden" });
});
