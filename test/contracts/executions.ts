import { describe, expect, test } from "vitest";
import type { UpdateInput } from "../../functions/contract.ts";
import type { Executions } from "../../functions/ports/executions.ts";

export interface ExecutionsUnderTest {
  readonly executions: Executions<UpdateInput>;
  /** Lets the execution of this name come to its end, and waits for it. */
  finish(name: string): Promise<void>;
}

export const input: UpdateInput = {
  cluster: "local",
  workload: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web", uid: "1" },
  image: "registry.example/web:1.1.0",
  strategy: "rolling",
  digests: "",
  recovering: false,
};

/** What every implementation of the port does. `prepare` gives one whose executions run until `finish`. */
export function executionsContract(prepare: () => Promise<ExecutionsUnderTest>): void {
  describe("Executions", () => {
    test("know nothing of what was never started", async () => {
      const { executions } = await prepare();
      expect(await executions.state("shop-web-1.1.0")).toBe("unknown");
    });

    test("run from their start to their end", async () => {
      const { executions, finish } = await prepare();
      expect(await executions.start("shop-web-1.1.0", input)).toBe("started");
      expect(await executions.state("shop-web-1.1.0")).toBe("running");
      await finish("shop-web-1.1.0");
      expect(await executions.state("shop-web-1.1.0")).toBe("ended");
    });

    test.for([
      { when: "with the same input", second: input },
      { when: "with another input", second: { ...input, digests: "", recovering: true } },
    ])("are started once: a second start $when finds the first", async ({ second }) => {
      const { executions } = await prepare();
      await executions.start("shop-web-1.1.0", input);
      expect(await executions.start("shop-web-1.1.0", second)).toBe("started");
    });

    test("of one name are not started again after the end", async () => {
      const { executions, finish } = await prepare();
      await executions.start("shop-web-1.1.0", input);
      await finish("shop-web-1.1.0");
      expect(await executions.start("shop-web-1.1.0", input)).toBe("ended");
    });

    test("started at once under one name are one", async () => {
      const { executions } = await prepare();
      const both = ["a", "a", "b"].map((name) => executions.start(name, input));
      expect(await Promise.all(both)).toEqual(["started", "started", "started"]);
    });

    test("of other names are others", async () => {
      const { executions, finish } = await prepare();
      await executions.start("a", input);
      await executions.start("b", input);
      await finish("a");
      expect(await executions.state("a")).toBe("ended");
      expect(await executions.state("b")).toBe("running");
    });
  });
}
