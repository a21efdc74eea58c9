import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type RealRegistry, startRealRegistry } from "../support/real/real-registry.ts";

/** The fixtures that all tests of a suite share. Available from the `beforeAll` of the suite on. */
export interface Suite {
  readonly registry: RealRegistry;
  /** An initially empty folder. */
  readonly folder: string;
  /** Returns its argument, and closes it after the suite, in reverse order and before the registry and the folder. */
  closeAfterAll<Opened extends Closeable>(opened: Opened): Opened;
}

interface Closeable {
  close(): Promise<void>;
}

/** Creates the fixtures. Call it first in a suite. Closes everything that was opened, also if a later `beforeAll` fails. */
export function createSuite(options: Parameters<typeof startRealRegistry>[0] = {}): Suite {
  const stack = new AsyncDisposableStack();
  let folder: string | undefined;
  let registry: RealRegistry | undefined;

  function closeAfterAll<Opened extends Closeable>(opened: Opened): Opened {
    return stack.adopt(opened, () => opened.close());
  }

  beforeAll(async () => {
    folder = stack.adopt(await mkdtemp(join(tmpdir(), "pawl-suite-")), (path) =>
      rm(path, { recursive: true, force: true }),
    );
    registry = closeAfterAll(await startRealRegistry(options));
  });

  afterAll(() => stack.disposeAsync());

  return {
    closeAfterAll,
    get registry() {
      return registry ?? throwTooEarly();
    },
    get folder() {
      return folder ?? throwTooEarly();
    },
  };
}

function throwTooEarly(): never {
  throw new Error("the registry and the folder of a suite are available from its beforeAll on");
}
