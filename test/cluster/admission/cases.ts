import { expect, test } from "vitest";
import { anything, type Sample, updateDenial } from "./admission.ts";
import { changed } from "./samples.ts";

export interface DeniedChange<T> {
  readonly change: string;
  /** A part of the message. */
  readonly message: string;
  readonly edit: (copy: T) => void;
}

interface Update<T> {
  readonly resource: string;
  readonly sample: T;
  readonly groups: readonly string[];
}

/** Registers one test for each change: a policy denies it to every group, even if RBAC allows it, and not to other users. */
export function testDeniedChanges<T extends Sample>(
  { resource, sample, groups }: Update<T>,
  changes: readonly DeniedChange<T>[],
): void {
  test.for(changes)("$change is denied: $message", async ({ edit, message }) => {
    const object = changed(sample, edit);
    for (const group of groups)
      expect(await updateDenial(resource, [group, anything], sample, object), group).toContain(message);
    expect(await updateDenial(resource, ["shop:owners", anything], sample, object)).toBeNull();
  });
}
