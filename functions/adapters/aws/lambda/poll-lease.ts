import { Unreachable } from "../../../ports/errors.ts";
import type { LeaseInput, LeaseState, PollLease } from "../../../ports/poll-lease.ts";
import { createInvoker, type RecorderFunction } from "./invoke.ts";

interface Options extends RecorderFunction {
  /** The cluster's name. */
  readonly cluster: string;
}

/** Creates the lease of a poll that may not write: the function `record-check` takes and releases it. */
export function createLambdaPollLease({ cluster, ...options }: Options): PollLease {
  const invoke = createInvoker(options);

  async function call(verb: LeaseInput["lease"]["verb"], poll: string): Promise<object> {
    const input: LeaseInput = { cluster, lease: { verb, poll } };
    const response = (await invoke(input)) as { readonly lease?: unknown } | null;
    // A version before the lease existed has another output.
    if (typeof response?.lease !== "object" || response.lease === null) throw unknownResult();
    return response.lease;
  }

  /** Checks each field: the function may have another version. */
  function parseState(fields: Readonly<Record<string, unknown>>): LeaseState {
    const { kind, by, takenOverFrom } = fields;
    if (kind === "held") return { kind, takenOverFrom: typeof takenOverFrom === "string" ? takenOverFrom : null };
    if (kind === "taken" && typeof by === "string") return { kind, by };
    if (kind === "absent") return { kind };
    throw unknownResult();
  }

  function unknownResult(): Error {
    return new Unreachable(`${options.functionName} returned an unknown result`);
  }

  return {
    acquire: async (poll) => parseState({ ...(await call("acquire", poll)) }),
    release: async (poll) => void (await call("release", poll)),
  };
}
