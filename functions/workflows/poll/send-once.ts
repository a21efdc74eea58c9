import { isToSend, type SentNotes } from "../../domain/execution/sent-notes.ts";
import { formatRfc3339 } from "../../domain/text/rfc3339.ts";
import { isConflict } from "../../ports/errors.ts";
import type { PollLeaseObject } from "../../ports/poll-lease.ts";

interface SendPorts {
  readonly ownPollLease: Pick<PollLeaseObject, "readNotes" | "writeNotes">;
  readonly now: () => Date;
}

const maxAttempts = 5;

/**
 * Sends something once: it notes on the Lease of the polls that it begins, sends, and notes that it has ended. Of two that run at once, one writes
 * the first note. If it ends between both notes, the next one sends after five minutes: then it may be sent twice, and is never lost. Returns "absent"
 * without a Lease: nothing is sent then. `send` gets what was sent before. Throws what it throws.
 */
export async function sendOnce(
  { ownPollLease, now }: SendPorts,
  name: string,
  value: string,
  send: (before: string | null) => Promise<void>,
): Promise<"sent" | "known" | "absent"> {
  const change = async (
    decide: (notes: SentNotes) => SentNotes | null,
    attempts = maxAttempts,
  ): Promise<SentNotes | null | "absent"> => {
    const read = await ownPollLease.readNotes();
    if (read === null) return "absent";
    const written = decide(read.notes);
    if (written === null) return null;
    try {
      await ownPollLease.writeNotes(written, read.version);
      return read.notes;
    } catch (error) {
      if (!isConflict(error) || attempts <= 1) throw error;
      return change(decide, attempts - 1);
    }
  };
  const begun = await change((notes) => {
    const note = notes[name] ?? {};
    return isToSend(note, value, now())
      ? { ...notes, [name]: { ...note, pending: value, at: formatRfc3339(now()) } }
      : null;
  });
  if (begun === "absent" || begun === null) return begun ?? "known";
  await send(begun[name]?.done ?? null);
  await change((notes) => ({ ...notes, [name]: { done: value } }));
  return "sent";
}
