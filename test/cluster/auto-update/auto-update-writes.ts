import type { Write } from "../../support/write-proxy.ts";

/** A write of an update, a canary, a restart or a rollback. */
export type UpdateWrite =
  | "create AutoUpdate"
  | "claim"
  | "claim promotion"
  | "fence"
  | "change workload"
  | "create canary"
  | "delete canary"
  | "mark applied"
  | "record rollback"
  | "mark restored"
  | "release"
  | "create Job"
  | "record hook"
  | "delete pod"
  | "evict pod";

interface StatusBody {
  readonly status?: {
    readonly update?: {
      readonly phase?: string;
      readonly strategy?: string;
      readonly targetUID?: string;
      readonly restorePending?: true | null;
      readonly hook?: object;
    } | null;
  };
}

/** Returns which write of an update this is; null for every other, such as an Event. */
export function updateWriteOf({ method, path, body }: Write): UpdateWrite | null {
  const { pathname } = new URL(path, "http://localhost");
  if (pathname.includes("/pods/"))
    return pathname.endsWith("/eviction") ? "evict pod" : method === "DELETE" ? "delete pod" : null;
  if (pathname.endsWith("/status")) return statusWriteOf(body as StatusBody);
  if (pathname.endsWith("/jobs")) return "create Job";
  if (pathname.endsWith("/autoupdates")) return "create AutoUpdate";
  if (!pathname.includes("/apis/apps/v1/")) return null;
  if (method === "PATCH") return (body as { readonly spec?: object }).spec === undefined ? "fence" : "change workload";
  return method === "POST" ? "create canary" : "delete canary";
}

/** Merge patches contain only what changes: a promotion keeps the uid that its claim recorded. */
function statusWriteOf({ status }: StatusBody): UpdateWrite | null {
  const update = status?.update;
  if (update === null) return "release";
  if (update?.phase === "RollingBack") return "record rollback";
  if (update?.phase === "Applied") return "mark applied";
  if (update?.phase === "Claimed") {
    return update.strategy !== undefined && update.targetUID === undefined ? "claim promotion" : "claim";
  }
  if (update?.hook !== undefined) return "record hook";
  return update?.restorePending === null ? "mark restored" : null;
}
