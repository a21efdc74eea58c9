import { expect, test } from "vitest";
import type { AutoUpdate } from "../../../../functions/adapters/kubernetes/auto-update/object.ts";
import {
  compactAutoUpdate,
  expandAutoUpdate,
} from "../../../../functions/adapters/kubernetes/auto-update/status/compact.ts";

const metadata = { name: "deployment-web", namespace: "shop", uid: "u", resourceVersion: "1" };
const targetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

test("of an AutoUpdate of 1 MiB, a poll keeps texts and lists that are still too long", () => {
  const policy = { tagPattern: "a".repeat(1024 * 1024), containers: Array.from({ length: 200_000 }, () => "c") };
  const autoUpdate: AutoUpdate = { metadata, spec: { targetRef, policy } };
  const compact = compactAutoUpdate(autoUpdate);
  expect(compact.text.length).toBeLessThan(128 * 1024);
  const kept = expandAutoUpdate(compact).spec.policy;
  expect(kept?.["tagPattern"]).toHaveLength(32 * 1024);
  expect(kept?.["containers"]).toHaveLength(10_000);
});
