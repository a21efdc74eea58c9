import { ApiException } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { findAutoscaler } from "../../../../../functions/adapters/kubernetes/kinds/built-in/autoscaler.ts";
import { Forbidden, Unreachable } from "../../../../../functions/ports/errors.ts";
import { noApi } from "../../reading.ts";

const autoscaler = (name: string, kind: string, target: string) => ({
  metadata: { name },
  spec: { scaleTargetRef: { kind, name: target } },
});

function find(listSelected: () => Promise<readonly unknown[]>) {
  const api = { ...noApi, listSelected: listSelected as typeof noApi.listSelected };
  return findAutoscaler({ namespace: "shop", name: "web" }, api);
}

describe("the autoscaler of a Deployment", () => {
  test.for([
    { when: "there is none", found: [], name: null },
    { when: "it has another target", found: [autoscaler("a", "Deployment", "api")], name: null },
    { when: "it has another kind of target", found: [autoscaler("a", "StatefulSet", "web")], name: null },
    {
      when: "it scales it",
      found: [autoscaler("a", "Deployment", "api"), autoscaler("b", "Deployment", "web")],
      name: "b",
    },
  ])("$when: $name", async ({ found, name }) => {
    expect(await find(async () => found)).toBe(name);
  });

  test("is not known to a role that may not list them, as before the right was granted", async () => {
    const cause = new ApiException(403, "", "", {});
    expect(await find(() => Promise.reject(new Forbidden("list", { cause })))).toBeNull();
    await expect(find(() => Promise.reject(new Unreachable("reset")))).rejects.toThrow(Unreachable);
  });
});
