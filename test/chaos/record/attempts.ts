import { targetKey } from "../../../functions/domain/workload/target/target.ts";
import type {
  AutoUpdateStatus,
  HistoryStatusEntry,
  UpdateStatus,
} from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import type { Observed } from "./facts.ts";

/** A moment of the recording. */
export type Moment = Pick<Observed, "at" | "revision">;

/** One update in flight, from its claim until the claim was released. */
export interface Attempt {
  readonly targetImage: string;
  readonly previousImage: string | undefined;
  readonly strategy: string;
  readonly begin: Moment;
  /** null while it is in flight. */
  readonly end: Moment | null;
  /** Whether the workload was changed. */
  readonly isApplied: boolean;
  /** Whether it was parked when it was seen last: a newer version may take its place, without a record. */
  readonly isParked: boolean;
  /** What the history got while it was in flight. */
  readonly entries: readonly HistoryStatusEntry[];
}

/** A write of an AutoUpdate with the status before it. */
export interface RecordWrite extends Moment {
  readonly before: AutoUpdateStatus;
  readonly after: AutoUpdateStatus;
  /** What it added to the history. */
  readonly added: readonly HistoryStatusEntry[];
}

export function recordWrites(facts: readonly Observed[]): readonly RecordWrite[] {
  let before: AutoUpdateStatus = {};
  return facts.flatMap(({ at, revision, fact }) => {
    if (fact.kind !== "record") return [];
    const after = fact.status;
    const known = new Set(before.history?.map(keyOf));
    const added = (after.history ?? []).filter((entry) => !known.has(keyOf(entry)));
    const write: RecordWrite = { at, revision, before, after, added };
    before = after;
    return [write];
  });
}

function keyOf({ version, startedAt, finishedAt, result }: HistoryStatusEntry): string {
  return [version, startedAt, finishedAt, result].join(" ");
}

type Draft = { -readonly [Field in keyof Attempt]: Attempt[Field] } & { readonly entries: HistoryStatusEntry[] };

/** Returns the attempts, and the entries of the history that belong to none. */
export function attemptsOf(writes: readonly RecordWrite[]): {
  readonly attempts: readonly Attempt[];
  readonly unattempted: readonly HistoryStatusEntry[];
} {
  const attempts: Draft[] = [];
  const unattempted: HistoryStatusEntry[] = [];
  for (const { at, revision, after, added } of writes) {
    const open = attempts.findLast(({ end }) => end === null);
    (open?.entries ?? unattempted).push(...added);
    const { update } = after;
    const isContinued = open !== undefined && update !== undefined && targetKey(update.target) === open.targetImage;
    if (open !== undefined && !isContinued) open.end = { at, revision };
    if (update === undefined) continue;
    const attempt = isContinued ? open : begin(update, { at, revision });
    if (!isContinued) attempts.push(attempt);
    if (update.phase !== "Claimed") attempt.isApplied = true;
    attempt.isParked = update.parked !== undefined;
  }
  return { attempts, unattempted };
}

function begin({ target, previousImage, strategy }: UpdateStatus, moment: Moment): Draft {
  return {
    targetImage: targetKey(target),
    previousImage,
    strategy,
    begin: moment,
    end: null,
    isApplied: false,
    isParked: false,
    entries: [],
  };
}
