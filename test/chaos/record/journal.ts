/** What the driver did. */
export interface Note {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: NoteKind;
  /** The workload that it was done to; null if it concerns all. */
  readonly workload: string | null;
  readonly text: string;
}

const noteKinds = [
  "push",
  "edit",
  "undo",
  "reset",
  "kill",
  "second process",
  "API server outage",
  "controller manager outage",
  "registry outage",
  "crash",
  "eviction",
  "slow start",
  "failed pull",
  "dependency outage",
  "phase",
] as const;
export type NoteKind = (typeof noteKinds)[number];

export interface Journal {
  readonly notes: readonly Note[];
  add(kind: NoteKind, workload: string | null, text: string): void;
  /** Returns how often each kind was noted. */
  counts(): ReadonlyMap<NoteKind, number>;
}

export function createJournal(): Journal {
  const notes: Note[] = [];
  return {
    notes,
    add: (kind, workload, text) => void notes.push({ at: Date.now(), kind, workload, text }),
    counts: () => new Map(noteKinds.map((kind) => [kind, notes.filter((note) => note.kind === kind).length])),
  };
}

/** What makes the pods of a workload exit, or be unready, although their version is good. */
const ofDependency: ReadonlySet<NoteKind> = new Set(["crash", "dependency outage"]);

/** Returns when pods of a workload failed for what is not their version; each such note has another one at its end. */
export function outagesOf(notes: readonly Note[], workload: string): { readonly from: number; readonly to: number }[] {
  const own = notes.filter((note) => note.workload === workload && ofDependency.has(note.kind));
  const ends = own.filter(({ text }) => text.endsWith(": over"));
  return own
    .filter((note) => !ends.includes(note))
    .map(({ at, kind }) => ({ from: at, to: ends.find((one) => one.at >= at && one.kind === kind)?.at ?? Infinity }));
}
