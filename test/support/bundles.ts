import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { inject } from "vitest";
import { bundle } from "../../infra/constructs/bundling.ts";
import type { HandlerName } from "../../infra/constructs/function-specs.ts";

/**
 * The folder with a handler's bundle as it is deployed, made by whichever test of a run is the first to ask for it. Throws
 * what bundling throws.
 */
export async function bundleOf(handler: HandlerName): Promise<string> {
  const made = join(inject("bundles"), handler);
  while (!existsSync(made)) {
    if (!isMine(`${made}.making`)) await pause(50);
    else if (!existsSync(made)) make(handler, `${made}.making`, made);
  }
  return made;
}

/** Whether no other process has begun. */
function isMine(making: string): boolean {
  try {
    mkdirSync(making);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

function make(handler: HandlerName, making: string, made: string): void {
  try {
    bundle(handler, making);
    renameSync(making, made);
  } catch (error) {
    rmSync(making, { recursive: true });
    throw error;
  }
}
