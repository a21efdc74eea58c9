import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findRegularExpressions } from "./regular-expressions.ts";

// The build in JavaScript: it needs no Java and is the same on every machine.
process.env["RECHECK_BACKEND"] = "pure";
const { checkSync } = await import("recheck");

/** Checks that every regular expression of the product takes linear time on any text. */
const found = findRegularExpressions(
  ["functions", "infra/local", "cli"],
  fileURLToPath(new URL("../../../", import.meta.url)),
);
// A verdict takes up to a second, and depends on nothing but the expression and the version of recheck.
const { version } = createRequire(import.meta.url)("recheck/package.json") as { readonly version: string };
const folder = join(homedir(), ".cache", "pawl");
const cache = join(folder, `linear-expressions-${version}.json`);
const known = readKnown();
const linear = new Set<string>();
const unsafe = found.flatMap(({ place, source, flags }) => {
  if (source === null) return [`${place}: it is built at run time, so it cannot be checked`];
  const expression = `/${source}/${flags}`;
  if (known.has(expression)) linear.add(expression);
  if (known.has(expression)) return [];
  const result = checkSync(source, flags, { timeout: 30_000 });
  if (result.status === "safe") linear.add(expression);
  if (result.status === "safe") return [];
  const why = result.status === "unknown" ? `unknown: ${result.error.kind}` : result.complexity.summary;
  return [`${place}: ${expression}: ${why}`];
});
mkdirSync(folder, { recursive: true });
writeFileSync(cache, JSON.stringify([...linear], null, 1));
for (const line of unsafe) process.stdout.write(`${line}\n`);
process.stdout.write(`${found.length} regular expressions, ${unsafe.length} not linear\n`);
process.exitCode = unsafe.length > 0 ? 1 : 0;

function readKnown(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(readFileSync(cache, "utf8")) as readonly string[]);
  } catch {
    return new Set();
  }
}
