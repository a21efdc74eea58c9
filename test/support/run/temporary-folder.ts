import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives all tests of a run one temporary folder, and removes it with what they left in it: the CDK removes none of its own. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "pawl-tests-"));
  // A test may start a process as another user.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
