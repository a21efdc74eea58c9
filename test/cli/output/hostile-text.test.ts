import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";
import { spawnPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Clears the screen, sets the title, hides what follows, and reverses the direction of text; C0, C1 and bidi controls. */
const hostile = "\u001b[2J\u001b]0;title\u0007\u001b[8m\u009b2J\u0090\r\b\u007f\u202eimda\u2066\u2028";

/** Printable characters and line breaks only. */
const harmless = /^[\n\P{C}]*$/u;

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({ "shop/app": ["1.0.0"] }, (registry) => [
    builtIn("Deployment", "web", `${registry}/shop/app:1.0.0`, { "pawl.dev/version-constraint": `one${hostile}` }),
    builtIn("Deployment", "db", `${registry}/shop/app:${hostile}`),
  ]);
});
afterAll(() => fixture.close());

test.for<{ args: readonly string[]; status: number }>([
  { args: ["plan"], status: 1 },
  { args: ["plan", "--json"], status: 1 },
  { args: ["status"], status: 0 },
  { args: ["status", "--json"], status: 0 },
  { args: ["history", `shop/${hostile}`], status: 2 },
  { args: ["local", "--exit-when-idle", "--interval", "1s"], status: 0 },
  { args: ["local", "--exit-when-idle", "--interval", "1s", "--json"], status: 0 },
  { args: ["image", `app:${hostile}`], status: 2 },
  { args: ["resolve", "--constraint", "*", `--no-such-option${hostile}`], status: 2 },
  { args: ["resolve", "--constraint", `one${hostile}`], status: 2 },
])("$args prints no control character of others", async ({ args, status }) => {
  const needsRegistry = ["plan", "local"].includes(args[0] ?? "");
  const flags = needsRegistry ? ["--insecure-registry", fixture.registry] : [];
  const ran = await spawnPawl([...args, ...flags], { env: { KUBECONFIG: fixture.kubeconfig }, stdin: "1.0.0\n" });
  expect(ran).toMatchObject({ status });
  expect(`${ran.stdout}${ran.stderr}`).toMatch(/imda|option|one/);
  expect(ran.stdout).toMatch(harmless);
  expect(ran.stderr).toMatch(harmless);
  if (args.includes("--json")) for (const line of jsonDocuments(args, ran.stdout)) JSON.parse(line);
});

function jsonDocuments([command]: readonly string[], stdout: string): readonly string[] {
  return command === "local" ? stdout.trim().split("\n") : [stdout];
}

/** The writer that escapes, and two tools of the build, which print no foreign text. */
const writers = ["cli/output/print.ts", "infra/app.ts", "infra/sbom/write-sbom.ts"];

test("only the writer that escapes writes to stdout and stderr", () => {
  const root = join(import.meta.dirname, "../../..");
  const sources = globSync("{cli,functions,infra}/**/*.ts", { cwd: root });
  const writing = sources.filter((path) =>
    /std(out|err)\)?\??\.(write|end)\b/.test(readFileSync(join(root, path), "utf8")),
  );
  expect(writing.toSorted()).toEqual(writers);
});
