import { readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { handlerNames } from "../../infra/constructs/functions.ts";
import { bundleOf } from "../support/bundles.ts";

/** Read before the first call. The cluster's client comes with that call, and is two thirds of the whole. */
const mostBytesAtStart = 100_000;
const mostBytes = 3_600_000;

/** In a process of its own, as Lambda does it: what is imported, and whether it holds anything open. */
const importing = "const { handler } = await import(process.argv[1]); process.stdout.write(typeof handler);";

/** Each handler as it is deployed. */
describe("the bundle", { timeout: 60_000 }, () => {
  test.for(handlerNames)(
    "of %s is small, needs nothing beside it, and builds no client when it is imported",
    async (handler) => {
      const made = await bundleOf(handler);
      const files = readdirSync(made).filter((file) => file.endsWith(".mjs"));
      const bytes = files.map((file) => statSync(join(made, file)).size).reduce((one, other) => one + other);
      expect.soft(bytes).toBeLessThan(mostBytes);
      expect.soft(statSync(join(made, "index.mjs")).size).toBeLessThan(mostBytesAtStart);

      const started = spawnSync(process.execPath, ["--input-type=module", "-e", importing, join(made, "index.mjs")], {
        cwd: tmpdir(),
        // No region and no credentials: a client built at import would have neither.
        env: {},
        encoding: "utf8",
        timeout: 30_000,
      });
      expect(started).toMatchObject({ status: 0, stdout: "function", stderr: "" });
    },
  );
});
