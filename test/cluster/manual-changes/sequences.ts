import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { kinds as all } from "../../support/kubectl/objects.ts";
import { byCanary, byTag } from "./manifest.ts";
import { type Person, verbs } from "./person.ts";
import type { Sequence, Template } from "./sequence.ts";
import { ownerSequences } from "./owner-sequences.ts";

const deleteRecord = ({ deleteRecord: remove }: Person) => remove();
const optOut = ({ kubectl, kind, name }: Person) => kubectl.annotate(kind, name, { [annotations.autoUpdate]: "false" });

async function optOutAndUndo(person: Person): Promise<void> {
  await optOut(person);
  await verbs.undo(person);
}

async function deleteRecordAndUndo(person: Person): Promise<void> {
  await deleteRecord(person);
  await verbs.undo(person);
}

const shortenTimeout = ({ kubectl, kind, name }: Person) =>
  kubectl.annotate(kind, name, { [annotations.healthTimeout]: "3m" });

const templates: readonly Template[] = [
  ...ownerSequences,
  {
    when: "undo after 1.0.0 -> 1.1.0 -> 1.2.0",
    kinds: all,
    repository: "twice",
    act: verbs.undo,
    expected: { runs: "1.1.0", history: ["1.1.0", "1.2.0"] },
  },
  {
    when: "undo twice, which is a redo",
    kinds: all,
    repository: "twice",
    before: verbs.undo,
    act: verbs.undo,
    expected: { runs: "1.2.0", history: ["1.1.0", "1.2.0"] },
  },
  {
    when: "auto-update=false just before an undo, which sets it to true again",
    kinds: ["Deployment"],
    repository: "rest",
    act: optOutAndUndo,
    expected: { runs: "1.0.0", history: ["1.1.0"] },
  },
  {
    when: "auto-update=false just before an undo, which keeps it: the record is deleted",
    kinds: ["StatefulSet", "DaemonSet"],
    repository: "rest",
    act: optOutAndUndo,
    expected: { runs: "1.0.0", history: [] },
  },
  {
    when: "auto-update=false a poll before an undo: the record was deleted meanwhile",
    kinds: all,
    repository: "rest",
    before: optOut,
    act: verbs.undo,
    expected: { runs: "1.0.0", history: [] },
  },
  {
    when: "the AutoUpdate is deleted, then undo",
    kinds: all,
    repository: "rest",
    act: deleteRecordAndUndo,
    expected: { runs: "1.0.0", history: [] },
  },
  {
    when: "the AutoUpdate is deleted a poll before an undo",
    kinds: all,
    repository: "rest",
    before: deleteRecord,
    act: verbs.undo,
    expected: { runs: "1.0.0", history: [] },
  },
  {
    when: "undo, and the AutoUpdate is deleted a poll later",
    kinds: all,
    repository: "rest",
    before: verbs.undo,
    act: deleteRecord,
    expected: { runs: "1.0.0", history: [] },
  },
  {
    when: "the AutoUpdate is deleted in a canary, then undo",
    kinds: ["Deployment"],
    repository: "moving",
    annotations: byCanary,
    act: deleteRecordAndUndo,
    expected: { runs: "1.0.0", history: [] },
  },
  {
    when: "the AutoUpdate is deleted in a canary, then undo",
    kinds: ["StatefulSet"],
    repository: "moving",
    annotations: byCanary,
    act: deleteRecordAndUndo,
    expected: { runs: "1.1.0", history: [] },
  },
  {
    when: "the AutoUpdate is deleted in a rollout, then undo",
    kinds: all,
    repository: "moving",
    act: deleteRecordAndUndo,
    expected: { runs: "1.1.0", history: [] },
  },
  {
    when: "undo while a version does not become ready",
    kinds: all,
    repository: "failing",
    act: verbs.undo,
    expected: { runs: "1.1.0", history: ["1.1.0"] },
  },
  {
    when: "set image while a version does not become ready",
    kinds: all,
    repository: "failing",
    act: verbs["set image"],
    expected: { runs: "1.0.5", history: ["1.1.0"] },
  },
  {
    // Its pod template was edited, so the first attempt proves nothing about the version.
    when: "restart while a version does not become ready: it is withdrawn, tried again, and rolled back",
    kinds: all,
    repository: "failing",
    async act(person) {
      await shortenTimeout(person);
      await verbs.restart(person);
    },
    expected: { runs: "1.1.0", history: ["1.1.0", "1.2.0-bad", "1.2.0-bad"], failed: ["1.2.0-bad"] },
  },
];

export const sequences: readonly Sequence[] = templates.flatMap(({ kinds, annotations: own, ...rest }, index) =>
  kinds.map((kind) => ({
    ...rest,
    kind,
    annotations: own ?? (rest.policy ? {} : byTag),
    name: `sequence-${index}-${kind.toLowerCase()}`,
  })),
);
