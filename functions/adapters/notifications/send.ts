import { EnvHttpProxyAgent, request as sendRequest } from "undici";
import { type Answer, attemptSeconds } from "../../domain/notification/attempts.ts";
import type { NotificationRequest } from "../../domain/notification/request.ts";
import { createConnectionPool } from "../connection-pool.ts";
import { parseRetryAfter } from "../retry-after.ts";

const pool = createConnectionPool();

/** In bytes; more of an answer, which nobody reads, is not received. */
const maxAnswerBytes = 64 * 1024;

const noAnswer: Answer = { status: null, retryAfterSeconds: null };

/** Sends one request and returns the answer, if there is one in time. Redirects are not followed. */
export async function sendNotification(
  { method, url, headers, body }: NotificationRequest,
  seconds = attemptSeconds,
): Promise<Answer> {
  try {
    const response = await sendRequest(url, {
      method,
      headers,
      body,
      signal: AbortSignal.timeout(seconds * 1000),
      dispatcher: pool(() => new EnvHttpProxyAgent({ proxyTunnel: true })),
    });
    // What follows the status changes nothing: the receiver has the message.
    await response.body.dump({ limit: maxAnswerBytes }).catch(() => undefined);
    const { statusCode: status, headers: answered } = response;
    return { status, retryAfterSeconds: parseRetryAfter(String(answered["retry-after"] ?? ""), new Date()) };
  } catch {
    // The error may contain the address, and with it a secret.
    return noAnswer;
  }
}
