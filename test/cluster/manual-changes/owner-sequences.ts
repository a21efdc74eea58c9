import { kinds as all } from "../../support/kubectl/objects.ts";
import { verbs } from "./person.ts";
import type { Template } from "./sequence.ts";

const policy = { versionConstraint: ">=1.0.0-0", versioning: "semver", healthTimeout: "1h" };
const canaryPolicy = { ...policy, canary: "1" };

/** With an AutoUpdate that its owner wrote, and no annotation of Pawl: it outlives the workload. */
export const ownerSequences: readonly Template[] = [
  {
    when: "undo, with an AutoUpdate of its owner",
    kinds: all,
    repository: "rest",
    policy,
    act: verbs.undo,
    expected: { runs: "1.0.0", history: ["1.1.0"] },
  },
  {
    when: "undo in a rollout, with an AutoUpdate of its owner",
    kinds: all,
    repository: "moving",
    policy,
    act: verbs.undo,
    expected: { runs: "1.1.0", history: ["1.1.0"] },
  },
  {
    when: "recreated, with an AutoUpdate of its owner: the older image is a person's choice",
    kinds: all,
    repository: "rest",
    policy,
    act: verbs.recreate,
    expected: { runs: "1.0.0", history: ["1.1.0"] },
  },
  {
    when: "recreated in a rollout, with an AutoUpdate of its owner: the claim is of another object",
    kinds: all,
    repository: "moving",
    policy,
    act: verbs.recreate,
    expected: { runs: "1.2.0", history: ["1.1.0", "1.2.0"] },
  },
  {
    when: "recreated in a canary, with an AutoUpdate of its owner",
    kinds: ["Deployment", "StatefulSet"],
    repository: "moving",
    policy: canaryPolicy,
    act: verbs.recreate,
    expected: { runs: "1.2.0", history: ["1.1.0", "1.2.0"] },
  },
];
