import { setTimeout as sleepMs } from "node:timers/promises";
import type { PersonRequest, RequestAnswer } from "../../functions/domain/workload/request/person-request.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";

type Awaited =
  | { readonly kind: "answered"; readonly answer: RequestAnswer }
  /** Another request took its place, or its object was replaced. */
  | { readonly kind: "replaced" }
  | { readonly kind: "timeout" };

interface Waiting {
  readonly timeoutSeconds: number;
  readonly intervalSeconds?: number;
}

/** Reads a workload or a node pool until its request is answered. Throws what `read` throws. */
export async function awaitAnswer(
  read: () => Promise<Pick<Workload, "request" | "lastRequest">>,
  { token }: PersonRequest,
  { timeoutSeconds, intervalSeconds = 1 }: Waiting,
): Promise<Awaited> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  for (;;) {
    const { request, lastRequest } = await read();
    if (lastRequest?.token === token) return { kind: "answered", answer: lastRequest };
    if (request?.token !== token) return { kind: "replaced" };
    const remainingMs = deadline - Date.now();
    if (remainingMs <= 0) return { kind: "timeout" };
    await sleepMs(Math.min(intervalSeconds * 1000, remainingMs));
  }
}
