import type { Kind } from "../../support/kubectl/objects.ts";
import type { Scene } from "./play.ts";

/** More than one change, or a change while the update is about to fail. */
export interface Sequence extends Scene {
  readonly when: string;
  /** `failed`: the versions that were observed failing. */
  readonly expected: {
    readonly runs: string;
    readonly history: readonly string[];
    readonly failed?: readonly string[];
  };
}

/** A sequence for several kinds. */
export type Template = Omit<Sequence, "kind" | "name" | "annotations"> & {
  readonly kinds: readonly Kind[];
  readonly annotations?: Scene["annotations"];
};
