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
  "phase",
] as const;
type NoteKind = (typeof noteKinds)[number];

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
