import { expect, test } from "vitest";
import { readPoolStatus } from "../../../../functions/adapters/kubernetes/node-pools/pool-status.ts";

const digest = "sha256:b";

test.for([
  { step: 0, before: [], aborted: [digest], shown: null },
  { step: 0, before: [digest], aborted: [digest], shown: null },
  { step: 2, before: [], aborted: [], shown: { digest, step: 2, since: null } },
])("step $step after $before: aborted are $aborted", ({ step, before, aborted, shown }) => {
  const { abortedDigests, progress } = readPoolStatus({
    abortedDigests: before,
    progress: { digest, step, since: null },
  });
  expect({ abortedDigests, progress }).toEqual({ abortedDigests: aborted, progress: shown });
});
