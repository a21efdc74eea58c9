import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type RealRegistry, startRealRegistry } from "../support/real-registry.ts";

/** What all tests of a suite share. It is there from the suite's own `beforeAll` on. */
export interface Suite {
  readonly registry: RealRegistry;
  /** Empty at first. */
  readonly folder: string;
  /** Gives what it is given, and closes it after the suite: the last one first, before the registry and the folder. */
  closing<Opened extends Closeable>(opened: Opened): Opened;
}

interface Closeable {
  close(): Promise<void>;
}

/** To be called first in a suite. Whatever was opened is closed, also where the opening of what comes next failed. */
export function suiteWithRegistry(options: Parameters<typeof startRealRegistry>[0] = {}): Suite {
  const stack = new AsyncDisposableStack();
  let folder: string | undefined;
  let registry: RealRegistry | undefined;

  function closing<Opened extends Closeable>(opened: Opened): Opened {
    return stack.adopt(opened, () => opened.close());
  }

  beforeAll(async () => {
    folder = stack.adopt(await mkdtemp(join(tmpdir(), "pawl-suite-")), (path) =>
      rm(path, { recursive: true, force: true }),
    );
    registry = closing(await startRealRegistry(options));
  });

  afterAll(() => stack.disposeAsync());

  return {
    closing,
    get registry() {
      return registry ?? tooEarly();
    },
    get folder() {
      return folder ?? tooEarly();
    },
  };
}

function tooEarly(): never {
  throw new Error("a suite has its registry and folder from its beforeAll on");
}
