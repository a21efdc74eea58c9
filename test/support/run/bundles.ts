import { inject } from "vitest";

/** Returns the folder with the bundle of the functions as deployed, which the setup of the run creates. */
export function bundleFolder(): string {
  return inject("bundles");
}
