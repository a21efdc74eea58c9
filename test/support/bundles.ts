import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { inject } from "vitest";
import { bundle } from "../../infra/constructs/bundling.ts";
import type { HandlerName } from "../../infra/constructs/function-specs.ts";

/**
 * Returns the folder with a handler's bundle as deployed. The first test of a run that needs it creates it. Throws the
 * errors of bundling.
 */
export async function bundleOf(handler: HandlerName): Promise<string> {
  const folder = join(inject("bundles"), handler);
  while (!existsSync(folder)) {
    if (!claimBuild(`${folder}.tmp`)) await pause(50);
    else if (!existsSync(folder)) createBundle(handler, `${folder}.tmp`, folder);
  }
  return folder;
}

/** Claims the build of a bundle; returns false if another process has claimed it. */
function claimBuild(temporary: string): boolean {
  try {
    mkdirSync(temporary);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

function createBundle(handler: HandlerName, temporary: string, folder: string): void {
  try {
    bundle(handler, temporary);
    renameSync(temporary, folder);
  } catch (error) {
    rmSync(temporary, { recursive: true });
    throw error;
  }
}
