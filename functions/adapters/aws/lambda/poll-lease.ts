import { Unreachable } from "../../../ports/errors.ts";
import type { DigestSender, LeaseInput, LeaseState, PollLease } from "../../../ports/poll-lease.ts";
import { createInvoker, type RecorderFunction } from "./invoke.ts";

interface Options extends RecorderFunction {
  /** The cluster's name. */
  readonly cluster: string;
}

/** Creates the lease of a poll that may not write: the function `record-check` takes and releases it. */
export function createLambdaPollLease(options: Options): PollLease {
  const call = createCaller(options);

  /** Checks each field: the function may have another version. */
  function parseState(fields: Readonly<Record<string, unknown>>): LeaseState {
    const { kind, by, takenOverFrom, digests } = fields;
    if (kind === "held")
      return {
        kind,
        takenOverFrom: typeof takenOverFrom === "string" ? takenOverFrom : null,
        ...(typeof digests === "object" && digests !== null ? { digests: digests as Record<string, string> } : {}),
      };
    if (kind === "taken" && typeof by === "string") return { kind, by };
    if (kind === "absent") return { kind };
    throw unknownResult(options);
  }

  return {
    acquire: async (poll) => parseState({ ...(await call({ verb: "acquire", poll })) }),
    release: async (poll) => void (await call({ verb: "release", poll })),
  };
}

/** Creates the sender of the digests of a poll that may not write: the function `record-check` sends them. */
export function createLambdaDigestSender(options: Options): Pick<DigestSender, "send"> {
  const call = createCaller(options);
  return { send: async (digests) => void (await call({ verb: "send", digests })) };
}

function createCaller({ cluster, ...options }: Options): (lease: LeaseInput["lease"]) => Promise<object> {
  const invoke = createInvoker(options);
  return async (lease) => {
    const input: LeaseInput = { cluster, lease };
    const response = (await invoke(input)) as { readonly lease?: unknown } | null;
    // A version before the lease existed has another output.
    if (typeof response?.lease !== "object" || response.lease === null) throw unknownResult(options);
    return response.lease;
  };
}

function unknownResult({ functionName }: Pick<Options, "functionName">): Error {
  return new Unreachable(`${functionName} returned an unknown result`);
}
