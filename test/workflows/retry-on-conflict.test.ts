import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Conflict, Unreachable } from "../../functions/ports/errors.ts";
import { retryOnConflict, retryStep } from "../../functions/workflows/retry-on-conflict.ts";

/** Writes to versions of an object. The first writes throw the errors, in order; later ones succeed. */
function writer(errors: readonly Error[]) {
  const written: number[] = [];
  let version = 1;
  return {
    written,
    run: (attempts: number, read = async () => (version += 1)) =>
      retryOnConflict({
        attempts,
        current: version,
        read,
        write: async (target) => {
          written.push(target);
          const error = errors[written.length - 1];
          if (error !== undefined) throw error;
          return `wrote ${target}`;
        },
      }),
  };
}

const conflict = new Conflict("changed");

describe("retryOnConflict", () => {
  test.for([
    { when: "nothing changed", errors: [], written: [1] },
    { when: "the object changed once", errors: [conflict], written: [1, 2] },
    { when: "the object changed until the last attempt", errors: [conflict, conflict], written: [1, 2, 3] },
  ])("writes to the newest version if $when", async ({ errors, written }) => {
    const object = writer(errors);
    expect(await object.run(3)).toBe(`wrote ${written.length}`);
    expect(object.written).toEqual(written);
  });

  test("throws the conflict if the object changed at every attempt", async () => {
    const object = writer([conflict, conflict, conflict]);
    await expect(object.run(3)).rejects.toBe(conflict);
    expect(object.written).toEqual([1, 2, 3]);
  });

  test("does not retry other errors", async () => {
    const object = writer([new Unreachable("no answer")]);
    await expect(object.run(3)).rejects.toMatchObject({ name: "Unreachable" });
    expect(object.written).toEqual([1]);
  });

  test("throws what reading throws", async () => {
    const object = writer([conflict]);
    await expect(object.run(3, () => Promise.reject(new Error("deleted")))).rejects.toThrow("deleted");
    expect(object.written).toEqual([1]);
  });
});

describe("retryStep", () => {
  /** Runs a step that takes so long, and throws a conflict each time. */
  async function run(seconds: number): Promise<number> {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    let tries = 0;
    const step = async () => {
      tries += 1;
      vi.setSystemTime(Date.now() + seconds * 1000);
      throw conflict;
    };
    await expect(retryStep(step)).rejects.toBe(conflict);
    return tries;
  }

  test.for([
    { seconds: 0.1, tries: 5 },
    { seconds: 4, tries: 3 },
    { seconds: 30, tries: 1 },
  ])("of $seconds s is tried $tries times", async ({ seconds, tries }) => {
    expect(await run(seconds)).toBe(tries);
  });

  test("throws any other error at once", async () => {
    const step = vi.fn(() => Promise.reject(new Unreachable("no answer")));
    await expect(retryStep(step)).rejects.toMatchObject({ name: "Unreachable" });
    expect(step).toHaveBeenCalledTimes(1);
  });
});
