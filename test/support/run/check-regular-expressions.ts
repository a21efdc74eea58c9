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
const unsafe = found.flatMap(({ place, source, flags }) => {
  if (source === null) return [`${place}: it is built at run time, so it cannot be checked`];
  const result = checkSync(source, flags, { timeout: 30_000 });
  if (result.status === "safe") return [];
  const why = result.status === "unknown" ? `unknown: ${result.error.kind}` : result.complexity.summary;
  return [`${place}: /${source}/${flags}: ${why}`];
});
for (const line of unsafe) process.stdout.write(`${line}\n`);
process.stdout.write(`${found.length} regular expressions, ${unsafe.length} not linear\n`);
process.exitCode = unsafe.length > 0 ? 1 : 0;
