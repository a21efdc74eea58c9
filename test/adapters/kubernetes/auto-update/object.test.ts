import { expect, test } from "vitest";
import { autoUpdateKey } from "../../../../functions/adapters/kubernetes/auto-update/object.ts";

test("a target has one key in all versions of its group, and one for each kind and namespace", () => {
  const target = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
  expect(autoUpdateKey("shop", { ...target, apiVersion: "apps/v1beta2" })).toBe(autoUpdateKey("shop", target));
  const others = [
    autoUpdateKey("back", target),
    autoUpdateKey("shop", { ...target, kind: "StatefulSet" }),
    autoUpdateKey("shop", { ...target, apiVersion: "v1" }),
    autoUpdateKey("shop", { ...target, name: "api" }),
  ];
  expect(new Set([autoUpdateKey("shop", target), ...others]).size).toBe(5);
});
