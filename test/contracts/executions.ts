import { describe, expect, test } from "vitest";
import type { UpdateInput } from "../../functions/contract/workload-update.ts";
import type { Executions } from "../../functions/ports/executions.ts";

export interface ExecutionsUnderTest {
  readonly executions: Executions<UpdateInput>;
  /** Lets the execution of this name end, and waits for it. */
  finish(name: string): Promise<void>;
}

export const input: UpdateInput = {
  cluster: "local",
  workload: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web", uid: "1" },
  target: { kind: "image", image: "registry.example/web:1.1.0" },
  strategy: "rolling",
  digests: "",
  adopting: false,
};

function chunked(names: readonly string[], size: number): readonly (readonly string[])[] {
  return names.flatMap((_, index) => (index % size === 0 ? [names.slice(index, index + size)] : []));
}

/** The contract of every implementation. `prepare` returns one whose executions run until `finish`. */
export function executionsContract(prepare: () => Promise<ExecutionsUnderTest>): void {
  describe("Executions", () => {
    test("are unknown before their start", async () => {
      const { executions } = await prepare();
      expect(await executions.state("shop-web-1.1.0")).toBe("unknown");
    });

    test("are unknown if no execution can have the name, as in a status that was edited", async () => {
      const { executions } = await prepare();
      expect(await executions.state("")).toBe("unknown");
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
      { when: "with another input", second: { ...input, digests: "", adopting: true } },
    ])("are started once: a second start $when returns the first", async ({ second }) => {
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

    test("started concurrently under one name are one", async () => {
      const { executions } = await prepare();
      const both = ["a", "a", "b"].map((name) => executions.start(name, input));
      expect(await Promise.all(both)).toEqual(["started", "started", "started"]);
    });

    test("are listed while they run, by their names", async () => {
      const { executions, finish } = await prepare();
      expect(new Set((await executions.listRunning()).keys())).toEqual(new Set());
      for (const name of ["a", "b", "c"]) await executions.start(name, input);
      await finish("b");
      expect(new Set((await executions.listRunning()).keys())).toEqual(new Set(["a", "c"]));
    });

    test("are all listed, however many run", async () => {
      const { executions } = await prepare();
      const names = Array.from({ length: 1001 }, (_, index) => `shop-web-${index}`);
      for (const chunk of chunked(names, 50)) await Promise.all(chunk.map((name) => executions.start(name, input)));
      expect(new Set((await executions.listRunning()).keys())).toEqual(new Set(names));
    });

    test("of different names are independent", async () => {
      const { executions, finish } = await prepare();
      await executions.start("a", input);
      await executions.start("b", input);
      await finish("a");
      expect(await executions.state("a")).toBe("ended");
      expect(await executions.state("b")).toBe("running");
    });
  });
}
