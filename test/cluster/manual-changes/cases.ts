import { type Kind, kinds } from "../../support/kubectl/objects.ts";
import { byCanary, byDigest, byTag } from "./manifest.ts";
import { type Verb, verbs } from "./person.ts";
import type { Scene } from "./play.ts";

/** Where the update is if a person intervenes. "digest": its tag has a new digest, and the restart is in progress. */
type State = "rest" | "rollout" | "canary" | "digest";

interface Case extends Scene {
  readonly state: State;
  readonly verb: Verb;
  readonly expected: Expected;
}

/** What is true at the end. `history` has the versions that became healthy, oldest first. */
interface Expected {
  readonly runs: string;
  readonly history: readonly string[];
}

const setups: Readonly<Record<State, Pick<Scene, "repository" | "annotations">>> = {
  rest: { repository: "rest", annotations: byTag },
  rollout: { repository: "moving", annotations: byTag },
  canary: { repository: "moving", annotations: byCanary },
  digest: { repository: "digest", annotations: byDigest },
};

/** Before the person's change each workload went from 1.0.0 to 1.1.0, or was restarted for `prod@first`. */
const outcomes: Readonly<Record<State, Readonly<Record<Verb, Expected>>>> = {
  rest: {
    undo: { runs: "1.0.0", history: ["1.1.0"] },
    restart: { runs: "1.1.0", history: ["1.1.0"] },
    replace: { runs: "1.0.0", history: ["1.1.0"] },
    apply: { runs: "1.0.0", history: ["1.1.0"] },
    "set image": { runs: "1.0.5", history: ["1.1.0"] },
    scale: { runs: "1.1.0", history: ["1.1.0"] },
    recreate: { runs: "1.1.0", history: ["1.1.0"] },
  },
  // 1.2.0 is being rolled out, and its pods are ready when the person's change is observed.
  rollout: {
    undo: { runs: "1.1.0", history: ["1.1.0"] },
    restart: { runs: "1.2.0", history: ["1.1.0", "1.2.0"] },
    replace: { runs: "1.0.0", history: ["1.1.0"] },
    apply: { runs: "1.0.0", history: ["1.1.0"] },
    "set image": { runs: "1.0.5", history: ["1.1.0"] },
    scale: { runs: "1.2.0", history: ["1.1.0", "1.2.0"] },
    recreate: { runs: "1.2.0", history: ["1.2.0"] },
  },
  // One replica runs 1.2.0. A StatefulSet has it in its template: to undo that leads to 1.1.0. A Deployment itself is at 1.1.0.
  canary: {
    undo: { runs: "1.0.0", history: ["1.1.0"] },
    restart: { runs: "1.2.0", history: ["1.1.0", "1.2.0"] },
    replace: { runs: "1.0.0", history: ["1.1.0"] },
    apply: { runs: "1.0.0", history: ["1.1.0"] },
    "set image": { runs: "1.0.5", history: ["1.1.0"] },
    scale: { runs: "1.2.0", history: ["1.1.0", "1.2.0"] },
    recreate: { runs: "1.2.0", history: ["1.2.0"] },
  },
  // A manifest has no restartedAt: `replace` undoes the restart, and `apply` keeps it. Another tag has another digest.
  digest: {
    undo: { runs: "prod", history: ["prod@first"] },
    restart: { runs: "prod", history: ["prod@first", "prod@second"] },
    replace: { runs: "prod", history: ["prod@first"] },
    apply: { runs: "prod", history: ["prod@first", "prod@second"] },
    "set image": { runs: "stable", history: ["prod@first", "stable@third"] },
    scale: { runs: "prod", history: ["prod@first", "prod@second"] },
    recreate: { runs: "prod", history: ["prod@second"] },
  },
};

/** All but what a DaemonSet cannot do: canaries, and scaling. */
export const cases: readonly Case[] = Object.entries(outcomes).flatMap(([state, byVerb]) =>
  Object.entries(byVerb).flatMap(([verb, expected]) =>
    kinds
      .filter((kind) => kind !== "DaemonSet" || (state !== "canary" && verb !== "scale"))
      .map((kind) => createCase(kind, state as State, verb as Verb, expected)),
  ),
);

function createCase(kind: Kind, state: State, verb: Verb, expected: Expected): Case {
  const name = `${verb.replace(" ", "-")}-${state}-${kind.toLowerCase()}`;
  const isPartitionUndone = kind === "StatefulSet" && state === "canary" && verb === "undo";
  return {
    kind,
    state,
    verb,
    name,
    ...setups[state],
    act: verbs[verb],
    expected: isPartitionUndone ? { ...expected, runs: "1.1.0" } : expected,
  };
}

/** Reports whether Pawl keeps its hands off the image after the change. */
export function isHeld({ state, verb }: Pick<Case, "state" | "verb">): boolean {
  if (state === "digest") return verb === "undo" || verb === "replace";
  return verb === "undo" || verb === "replace" || verb === "apply" || verb === "set image";
}
