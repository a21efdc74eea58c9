import { readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { handlerNames } from "../../infra/constructs/function-specs.ts";
import { bundleOf } from "../support/bundles.ts";

/** Loaded before the first call. The client of the cluster is loaded by that call, and is two thirds of the bundle. */
const maxEntryBytes = 100_000;
const maxBytes = 3_700_000;

/** Imports the bundle in a child process, as Lambda does, and fails if it keeps a handle open. */
const importProgram = "const { handler } = await import(process.argv[1]); process.stdout.write(typeof handler);";

describe("the bundle", { timeout: 60_000 }, () => {
  test.for(handlerNames)("of %s is small, self-contained, and creates no client on import", async (handler) => {
    const folder = await bundleOf(handler);
    const files = readdirSync(folder).filter((file) => file.endsWith(".mjs"));
    const bytes = files.map((file) => statSync(join(folder, file)).size).reduce((one, other) => one + other);
    expect.soft(bytes).toBeLessThan(maxBytes);
    expect.soft(statSync(join(folder, "index.mjs")).size).toBeLessThan(maxEntryBytes);

    const result = spawnSync(
      process.execPath,
      ["--input-type=module", "-e", importProgram, join(folder, "index.mjs")],
      {
        cwd: tmpdir(),
        // No region and no credentials: a client created on import would fail.
        env: {},
        encoding: "utf8",
        timeout: 30_000,
      },
    );
    expect(result).toMatchObject({ status: 0, stdout: "function", stderr: "" });
  });
});
