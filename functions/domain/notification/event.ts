import type { HeldWorkload } from "./daily-digest.ts";

/** An event of the bus, as EventBridge delivers it. Fields of later versions are kept: a webhook without a body sends them all. */
export interface NotifiedEvent {
  readonly id: string;
  readonly time: string;
  readonly "detail-type": string;
  readonly detail: {
    readonly cluster: string;
    readonly workload?: { readonly kind: string; readonly namespace: string; readonly name: string } | undefined;
    readonly nodePool?: { readonly name: string } | undefined;
    readonly node?: string | null | undefined;
    readonly execution?: string | null | undefined;
    readonly currentVersion?: string | null | undefined;
    readonly version?: string | null | undefined;
    readonly image?: string | null | undefined;
    readonly reason?: string | null | undefined;
    readonly evidence?: string | null | undefined;
    /** A rollback that a person requested. */
    readonly requested?: boolean | undefined;
    /** Of a digest. */
    readonly held?: readonly HeldWorkload[] | undefined;
    readonly more?: number | undefined;
  };
}
