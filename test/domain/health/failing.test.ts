import { expect, test } from "vitest";
import type { Cause } from "../../../functions/domain/health/cause.ts";
import { failingAlready } from "../../../functions/domain/health/failing.ts";

const exit: Cause = { blames: "version", reason: "Exit", container: "web", exitCode: 1, message: "", restarts: 2 };

test.for<{ when: string; cause: Partial<Cause>; fails: boolean }>([
  { when: "it exits again and again", cause: {}, fails: true },
  { when: "it was killed again and again", cause: { reason: "OOMKilled", exitCode: 137, restarts: 9 }, fails: true },
  { when: "it exited once: what it needs may not answer yet", cause: { restarts: 1 }, fails: false },
  { when: "it cannot start", cause: { reason: "RunContainerError", exitCode: null, restarts: 0 }, fails: true },
  { when: "a probe has not passed yet", cause: { container: null, exitCode: null, restarts: 0 }, fails: false },
  { when: "its image cannot be pulled", cause: { blames: "excused", exitCode: null }, fails: false },
])("a pod fails already if $when: $fails", ({ cause, fails }) => {
  const evidence = [{ pod: "web-0", cause: { ...exit, ...cause } }];
  expect(failingAlready(evidence)).toEqual(fails ? evidence : []);
});
