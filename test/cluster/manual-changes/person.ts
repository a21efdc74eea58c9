import { eventually } from "../../support/control-plane/eventually.ts";
import type { Kubectl } from "../../support/kubectl.ts";
import type { Manifest } from "../../support/kubectl/apply.ts";
import type { Kind } from "../../support/kubectl/objects.ts";
import { prune } from "./manifest.ts";

/** A person at a terminal, and the workload to change. */
export interface Person {
  readonly kubectl: Kubectl;
  readonly kind: Kind;
  readonly name: string;
  /** What the workload was created from. */
  readonly manifest: Manifest;
  /** Another image of its repository, which Pawl would not choose. */
  readonly otherImage: string;
  deleteRecord(): Promise<void>;
  /** Resolves when the garbage collector has deleted the AutoUpdate of a workload that was deleted, if Pawl had created it. */
  awaitCollection(): Promise<void>;
}

export type Verb = "undo" | "restart" | "replace" | "apply" | "set image" | "scale" | "recreate";

/** What a person does with kubectl. */
export const verbs: Readonly<Record<Verb, (person: Person) => Promise<void>>> = {
  async undo({ kubectl, kind, name }) {
    // Until then kubectl goes back one too far.
    await awaitRevision(kubectl, kind, name);
    await eventually(`${name} has a revision to go back to`, async () => {
      await kubectl.rolloutUndo(kind, name);
      return true;
    });
  },
  restart: ({ kubectl, kind, name }) => kubectl.rolloutRestart(kind, name),
  replace: ({ kubectl, manifest }) => repeatOnConflict(() => kubectl.replace(manifest)),
  apply: ({ kubectl, manifest }) => kubectl.apply(prune(manifest)),
  "set image": ({ kubectl, kind, name, otherImage }) => kubectl.setImage(kind, name, otherImage),
  scale: ({ kubectl, kind, name }) => kubectl.scale(kind, name, 3),
  async recreate({ kubectl, kind, name, manifest, awaitCollection }) {
    await kubectl.delete(kind, name);
    // Until then the new workload is taken for the old one with an older image, which is kept.
    await awaitCollection();
    await kubectl.create(manifest);
  },
};

/** Resolves when the controller has observed the workload: until then its template is no revision. */
export async function awaitRevision(kubectl: Kubectl, kind: Kind, name: string): Promise<void> {
  await eventually(`the controller has observed ${name}`, async () => {
    const { metadata, status = {} } = await kubectl.get(kind, name);
    return (status.observedGeneration ?? 0) >= (metadata.generation ?? 1);
  });
}

/** `kubectl replace` fails if a controller writes in the meantime; the person tries again. */
async function repeatOnConflict(command: () => Promise<void>): Promise<void> {
  for (;;) {
    const failure = await command().then(
      () => null,
      (error: Error) => error,
    );
    if (failure === null) return;
    if (!("code" in failure) || failure.code !== 409) throw failure;
  }
}
