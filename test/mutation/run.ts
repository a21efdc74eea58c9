/**
 * Mutates 30 lines of `functions/domain` and `functions/workflows`, one after the other, and runs the tests that depend on each. Prints
 * those that no test noticed; its status is 1 if more than one in ten survived. `PAWL_TEST_SEED` selects the lines, and
 * `PAWL_MUTANTS` how many.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { seed } from "../support/property-runs.ts";
import { applyMutant, type Mutant, mutantsOf } from "./mutants.ts";

const count = Number(process.env["PAWL_MUTANTS"] ?? 30);
/** A mutant may make a test loop. */
const limitSeconds = 300;
/** The fast one first. */
const projects = ["pure", "unit"];
/** Neither copied nor mutated. */
const kept = new Set([".git", "node_modules", "coverage", "cdk.out", "dist"]);

const folder = mkdtempSync(join(tmpdir(), "pawl-mutants-"));
try {
  for (const name of readdirSync(".")) if (!kept.has(name)) cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  for (const project of projects)
    if (await fails(project, [])) throw new Error(`the tests of the project ${project} fail without a mutant`);
  process.exitCode = (await mutate()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Reports whether enough mutants were noticed. */
async function mutate(): Promise<boolean> {
  const sites = globSync("functions/{domain,workflows}/**/*.ts").flatMap((file) =>
    mutantsOf(readFileSync(file, "utf8")).map((mutant) => ({ file, ...mutant })),
  );
  const chosen = sample(sites, count);
  const survivors: string[] = [];
  process.stdout.write(`PAWL_TEST_SEED=${seed}: ${chosen.length} of ${sites.length} mutants\n`);
  for (const { file, ...mutant } of chosen) {
    const source = readFileSync(file, "utf8");
    const what = `${file}:${mutant.line}: ${describe(source, mutant)}`;
    writeFileSync(join(folder, file), applyMutant(source, mutant));
    let isNoticed = false;
    for (const project of projects) isNoticed ||= await fails(project, ["related", file]);
    writeFileSync(join(folder, file), source);
    process.stdout.write(`${isNoticed ? "noticed " : "SURVIVED"} ${what}\n`);
    if (!isNoticed) survivors.push(what);
  }
  process.stdout.write(`${chosen.length - survivors.length} of ${chosen.length} noticed\n`);
  return survivors.length * 10 <= chosen.length;
}

/** Reports whether a test of a project fails: with `related` and a file, one that imports it. */
async function fails(project: string, related: readonly string[]): Promise<boolean> {
  const args = [...related, "--run", "--project", project, "--bail", "1", "--passWithNoTests", "--reporter", "dot"];
  // Without a mutant, no failure is expected.
  const output = related.length === 0 ? "inherit" : "ignore";
  const child = spawn(join("node_modules", ".bin", "vitest"), args, {
    cwd: folder,
    stdio: ["ignore", output, output],
    detached: true,
  });
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), limitSeconds * 1000);
  const [code] = (await once(child, "exit")) as [number | null];
  clearTimeout(timer);
  return code !== 0;
}

function describe(source: string, { start, end, replacement }: Mutant): string {
  const flat = (text: string) => text.trim().replaceAll(/\s+/g, " ");
  return `${flat(source.slice(start, end))} -> ${flat(replacement)}`;
}

/** Returns a sample that depends on the seed only: a linear congruential generator shuffles the items. */
function sample<Item>(items: readonly Item[], size: number): readonly Item[] {
  let state = seed;
  const keyed = items.map((item) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return { item, key: state };
  });
  return keyed
    .toSorted((one, other) => one.key - other.key)
    .slice(0, size)
    .map(({ item }) => item);
}
