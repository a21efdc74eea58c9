import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the run's tests keep the functions' bundles. */
    bundles: string;
  }
}

export function setup(project: TestProject): () => void {
  const bundles = mkdtempSync(join(tmpdir(), "pawl-bundles-"));
  project.provide("bundles", bundles);
  return () => rmSync(bundles, { recursive: true });
}
