import { describe, expect, test } from "vitest";
import { lazy } from "../../functions/runtime/lazy.ts";

interface Port {
  readonly name: string;
  read(id: number): Promise<string>;
  list(): AsyncIterable<string>;
}

class OpenPort implements Port {
  readonly name = "open";
  readonly #items = ["a", "b"];

  async read(id: number): Promise<string> {
    if (id < 0) throw new Error(`no item ${id}`);
    return this.#items[id] ?? "";
  }

  async *list(): AsyncIterable<string> {
    yield* this.#items;
  }
}

/** Returns a lazy port and how often it was opened. The first opens fail with the errors, in order. */
function counting(errors: readonly Error[] = []) {
  let opens = 0;
  const port = lazy<Port>(
    async () => {
      const error = errors[opens];
      opens += 1;
      if (error !== undefined) throw error;
      return new OpenPort();
    },
    { name: "known" },
  );
  return { port, opens: () => opens };
}

async function collect(items: AsyncIterable<string>): Promise<readonly string[]> {
  const collected: string[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe("a lazy port", () => {
  test("is not opened before a method is called", () => {
    const { port, opens } = counting();
    expect(port.name).toBe("known");
    expect(opens()).toBe(0);
  });

  test("is opened once, also by concurrent calls", async () => {
    const { port, opens } = counting();
    expect(await Promise.all([port.read(0), port.read(1)])).toEqual(["a", "b"]);
    expect(await port.read(0)).toBe("a");
    expect(opens()).toBe(1);
  });

  test("is opened again if that failed", async () => {
    const { port, opens } = counting([new Error("no route"), new Error("no answer")]);
    await expect(port.read(0)).rejects.toThrow("no route");
    await expect(collect(port.list())).rejects.toThrow("no answer");
    expect(await port.read(0)).toBe("a");
    expect(opens()).toBe(3);
  });

  test("rejects if opening it throws synchronously", async () => {
    const port = lazy<Port>(() => {
      throw new Error("PAWL_CLUSTER is not set");
    });
    await expect(port.read(0)).rejects.toThrow("PAWL_CLUSTER is not set");
  });

  test("throws what a method throws", async () => {
    await expect(counting().port.read(-1)).rejects.toThrow("no item -1");
  });

  test("returns async iterables", async () => {
    const { port } = counting();
    expect(await collect(port.list())).toEqual(["a", "b"]);
  });

  test("is not a promise, so that async functions can return it", async () => {
    const { port, opens } = counting();
    expect(await Promise.resolve(port)).toBe(port);
    expect(opens()).toBe(0);
  });
});
