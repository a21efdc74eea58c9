/** In seconds: an attempt ends without an answer, and the delays after the first and second. */
export const attemptSeconds = 10;
const delaysSeconds = [1, 5];

/** What a receiver answered: its HTTP status, or null if there was no answer in time, and after how long it wants the next request. */
export interface Answer {
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
}

/** In seconds: how long one delivery, or all of a target, may take. Lambda ends the function after 60 s. */
export const deliverySeconds = 50;
/** In seconds: a receiver that asks for more is asked again after this. */
const maxRetryAfterSeconds = 3600;

export type DeliveryVerdict =
  | { readonly kind: "delivered" }
  | { readonly kind: "retry"; readonly afterSeconds: number }
  /** `pauseSeconds` is how long the receiver wants no request. */
  | { readonly kind: "failed"; readonly reason: string; readonly pauseSeconds: number };

/**
 * Decides after the attempt of this number, from 1 on. Any answer but 2xx has failed: a redirect is not followed. There is no other attempt
 * that would not end within `leftSeconds`.
 */
export function assessAttempt(attempt: number, answer: Answer, leftSeconds: number): DeliveryVerdict {
  const { status } = answer;
  if (status !== null && status >= 200 && status < 300) return { kind: "delivered" };
  const pauseSeconds = Math.min(answer.retryAfterSeconds ?? 0, maxRetryAfterSeconds);
  const delaySeconds = delaysSeconds[attempt - 1];
  const afterSeconds = Math.max(delaySeconds ?? 0, pauseSeconds);
  if (delaySeconds !== undefined && afterSeconds + attemptSeconds <= leftSeconds)
    return { kind: "retry", afterSeconds };
  const reason = status === null ? "no answer" : `HTTP status ${status}`;
  return { kind: "failed", reason: `${reason} in attempt ${attempt}`, pauseSeconds };
}
