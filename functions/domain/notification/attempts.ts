/** In seconds: an attempt ends without an answer, and the delays after the first and second. */
export const attemptSeconds = 10;
const delaysSeconds = [1, 5];

/** What a receiver answered: its HTTP status, or null if there was no answer in time. */
export type Answer = number | null;

export type DeliveryVerdict =
  | { readonly kind: "delivered" }
  | { readonly kind: "retry"; readonly afterSeconds: number }
  | { readonly kind: "failed"; readonly reason: string };

/** Decides after the attempt of this number, from 1 on. Any answer but 2xx has failed: a redirect is not followed. */
export function assessAttempt(attempt: number, answer: Answer): DeliveryVerdict {
  if (answer !== null && answer >= 200 && answer < 300) return { kind: "delivered" };
  const afterSeconds = delaysSeconds[attempt - 1];
  if (afterSeconds !== undefined) return { kind: "retry", afterSeconds };
  const reason = answer === null ? "no answer" : `HTTP status ${answer}`;
  return { kind: "failed", reason: `${reason} in attempt ${attempt}` };
}
