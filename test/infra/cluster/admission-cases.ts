import { expect, test } from "vitest";
import { updateDenials } from "./admission.ts";
import { changed } from "./admission-samples.ts";

export interface DeniedChange<T> {
  readonly change: string;
  /** A part of the only message. */
  readonly message: string;
  readonly edit: (copy: T) => void;
}

interface Update<T> {
  readonly resource: string;
  readonly sample: T;
  readonly groups: readonly string[];
}

/** Registers one test for each change: every group is denied it with this message alone, and other users are not. */
export function testDeniedChanges<T extends object>(
  { resource, sample, groups }: Update<T>,
  changes: readonly DeniedChange<T>[],
): void {
  test.for(changes)("$change is denied: $message", ({ edit, message }) => {
    const object = changed(sample, edit);
    for (const group of groups)
      expect(updateDenials(resource, group, sample, object)).toEqual([expect.stringContaining(message)]);
    expect(updateDenials(resource, "shop:owners", sample, object)).toEqual([]);
  });
}
