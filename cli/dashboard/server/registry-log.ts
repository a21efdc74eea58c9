import type { RateLimit } from "../../../functions/adapters/oci-registry/rate-limit-headers.ts";
import { Throttled } from "../../../functions/ports/errors.ts";
import type { Registry } from "../../../functions/ports/registry.ts";
import { formatRfc3339, secondsAfter } from "../../../functions/domain/text/rfc3339.ts";
import type { RegistryRow } from "../detail-model.ts";

interface RegistryLog {
  readonly registry: Registry;
  /** Of each host that was asked, by its name. */
  rows(): readonly RegistryRow[];
}

/** Records what a registry client is asked, and how each host answers. `limits` is the last rate limit of each host. */
export function logRegistry(registry: Registry, limits: ReadonlyMap<string, RateLimit>, now: () => Date): RegistryLog {
  const hosts = new Map<string, Omit<RegistryRow, "host" | "rateLimit">>();

  async function log<Answer>(host: string, ask: () => Promise<Answer>): Promise<Answer> {
    const add = (change: (before: Omit<RegistryRow, "host" | "rateLimit">) => object) => {
      const before = hosts.get(host) ?? { asked: 0, failed: 0, retryAt: null, lastError: null };
      hosts.set(host, { ...before, ...change(before) });
    };
    add(({ asked }) => ({ asked: asked + 1 }));
    try {
      return await ask();
    } catch (error) {
      const { message } = error as Error;
      const seconds = error instanceof Throttled ? error.retryAfterSeconds : null;
      const retryAt = seconds === null ? null : formatRfc3339(secondsAfter(now(), seconds));
      add((before) => ({ failed: before.failed + 1, lastError: message, retryAt: retryAt ?? before.retryAt }));
      throw error;
    }
  }

  return {
    registry: {
      listTags: (image, logins) => log(image.registry, () => registry.listTags(image, logins)),
      digestOf: (image, logins) => log(image.registry, () => registry.digestOf(image, logins)),
      resolve: (image, logins) => log(image.registry, () => registry.resolve(image, logins)),
      digestsOf: (image, logins) => log(image.registry, () => registry.digestsOf(image, logins)),
    },
    rows: () =>
      [...hosts]
        .map(([host, row]) => ({ host, ...row, rateLimit: describe(limits.get(host)) }))
        .toSorted((one, other) => (one.host < other.host ? -1 : 1)),
  };
}

function describe(rateLimit: RateLimit | undefined): string | null {
  if (rateLimit === undefined) return null;
  const { remaining, limit, counts, endsAt } = rateLimit;
  const until = formatRfc3339(new Date(endsAt));
  return `${remaining}${limit === null ? "" : ` of ${limit}`} ${counts} left until ${until}`;
}
