import type { TestProject } from "vitest/node";
import { bundleFunctions } from "../infra/constructs/functions/bundling.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the functions' bundle. */
    bundles: string;
  }
}

/** Builds the bundle of the functions once for all tests of it. It is deleted when the process of the runner ends. */
export function setup(project: TestProject): void {
  project.provide("bundles", bundleFunctions().folder);
}
