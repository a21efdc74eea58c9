import { expect, test } from "vitest";
import { ApiException } from "@kubernetes/client-node";
import { checkReferences } from "../../../functions/adapters/kubernetes/check-references.ts";
import { Forbidden, Unreachable } from "../../../functions/ports/errors.ts";
import { noApi } from "./reading.ts";

const template = {
  spec: {
    serviceAccountName: "robot",
    containers: [
      {
        name: "app",
        env: [
          { name: "A", valueFrom: { secretKeyRef: { name: "login", key: "password" } } },
          { name: "B", valueFrom: { configMapKeyRef: { name: "settings", key: "level" } } },
          { name: "C", valueFrom: { configMapKeyRef: { name: "settings", key: "extra", optional: true } } },
        ],
      },
    ],
    volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
  },
};
const denied = new Forbidden("no", { cause: new ApiException(403, "no", {}, {}) });
const content = { resourceVersion: "1", hashes: {} };

test.for([
  {
    when: "a key is missing, and not where it is optional",
    missing: ['configmap/settings: has no key "level"; create it, or make the reference optional'],
    unchecked: [],
    secret: { ...content, hashes: { password: "x" } },
  },
  {
    when: "the caller must not read",
    missing: ['configmap/settings: has no key "level"; create it, or make the reference optional'],
    unchecked: ["secret/login: you must not read it"],
    secret: denied,
  },
])("what is missing is named, and what was not checked: $when", async ({ missing, unchecked, secret }) => {
  const api = {
    ...noApi,
    exists: async () => true,
    getConfigContent: async (kind: string) => {
      if (kind === "configmap") return content;
      if (secret instanceof Error) throw secret;
      return secret;
    },
  };
  expect(await checkReferences(api, "shop", template)).toEqual({ missing, unchecked });
});

test("a cluster that does not answer ends it", async () => {
  const exists = () => Promise.reject(new Unreachable("no answer"));
  const api = { ...noApi, exists, getConfigContent: async () => content };
  await expect(checkReferences(api, "shop", template)).rejects.toThrow(Unreachable);
});
