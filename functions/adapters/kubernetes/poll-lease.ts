import type { KubeConfig } from "@kubernetes/client-node";
import {
  formatPollNote,
  isOfSelected,
  isRenewed,
  type LeaseSpec,
  otherHolder,
  parsePollNote,
  previousHolder,
  renewedLease,
} from "../../domain/execution/poll-lease.ts";
import { parseRfc3339 } from "../../domain/text/rfc3339.ts";
import { digestDays, parseSentNotes } from "../../domain/execution/sent-notes.ts";
import { isConflict } from "../../ports/errors.ts";
import { type LeaseState, type PollLeaseObject, pollLeaseName } from "../../ports/poll-lease.ts";
import { createKubernetesApi } from "./api.ts";
import type { ClaimHolder } from "./kinds/kind.ts";
import type { KubernetesObject, Resource } from "./objects.ts";

export interface PollLeaseOptions {
  readonly kubeConfig: KubeConfig;
  /** null is every namespace. */
  readonly namespaces: readonly string[] | null;
  /** This installation. */
  readonly holder: ClaimHolder;
  /** The longest time between two polls by the schedule; null if it is not known. */
  readonly longestSeconds?: number | null;
  readonly now: () => Date;
}

interface Lease extends KubernetesObject {
  readonly spec?: LeaseSpec;
}

const leaseResource: Resource = { group: "coordination.k8s.io", version: "v1", plural: "leases", kind: "Lease" };

/** What polls have sent, as JSON. */
const notesAnnotation = "pawl.dev/sent";

/** Who polled last, and how often. */
const pollAnnotation = "pawl.dev/poll";

const defaultNamespace = "kube-system";

/** Returns the namespace of what Pawl shares in a cluster: `kube-system`, or the first one if it is restricted to some. */
export function pawlNamespace(namespaces: readonly string[] | null): string {
  return namespaces?.toSorted()[0] ?? defaultNamespace;
}

const maxAttempts = 3;

/**
 * Creates the lease of a cluster's polls. The installation creates the Lease, so that nobody needs the right to create one. Its holder
 * is `INSTALLATION POLL`.
 */
export function createKubernetesPollLease(options: PollLeaseOptions): PollLeaseObject {
  const { kubeConfig, namespaces, holder, longestSeconds = null, now } = options;
  const api = createKubernetesApi(kubeConfig);
  const namespace = pawlNamespace(namespaces);
  const identityOf = (poll: string) => `${holder.id} ${poll}`;

  async function acquireOnce(identity: string): Promise<LeaseState> {
    const lease = await api.get<Lease>(leaseResource, namespace, pollLeaseName);
    if (lease === null) return { kind: "absent" };
    const spec = lease.spec ?? {};
    const days = digestDays(parseSentNotes(lease.metadata.annotations?.[notesAnnotation]));
    const sent = Object.keys(days).length === 0 ? {} : { digests: days };
    if (isRenewed(spec, identity, now())) return { kind: "held", takenOverFrom: null, ...sent };
    const by = otherHolder(spec, identity, now());
    if (by !== null && !holder.isLost(by.split(" ")[0] ?? "")) return { kind: "taken", by };
    // Polls of selected workloads, such as those of pushes, say nothing about the schedule.
    const isNoted = spec.holderIdentity !== identity && !isOfSelected(identity);
    const noted = isNoted ? { [pollAnnotation]: formatPollNote(spec, holder.id, longestSeconds, now()) } : {};
    await write(lease, renewedLease(spec, identity, now()), noted);
    return { kind: "held", takenOverFrom: previousHolder(spec, identity), ...sent };
  }

  async function releaseOnce(identity: string): Promise<void> {
    const lease = await api.get<Lease>(leaseResource, namespace, pollLeaseName);
    if (lease?.spec?.holderIdentity === identity) await write(lease, { holderIdentity: null });
  }

  async function write({ metadata }: Lease, spec: LeaseSpec, annotations: object = {}): Promise<void> {
    const { resourceVersion } = metadata;
    const body = { metadata: { resourceVersion, annotations }, spec };
    await api.patch(leaseResource, metadata, "application/merge-patch+json", body);
  }

  return {
    async readNotes() {
      const lease = await api.get<Lease>(leaseResource, namespace, pollLeaseName);
      if (lease === null) return null;
      const { annotations, resourceVersion } = lease.metadata;
      return { notes: parseSentNotes(annotations?.[notesAnnotation]), version: resourceVersion };
    },
    async writeNotes(notes, resourceVersion) {
      const metadata = { name: pollLeaseName, namespace };
      const body = { metadata: { resourceVersion, annotations: { [notesAnnotation]: JSON.stringify(notes) } } };
      await api.patch(leaseResource, metadata as Lease["metadata"], "application/merge-patch+json", body);
    },
    acquire: (poll) => repeatOnConflict(() => acquireOnce(identityOf(poll))),
    release: (poll) => repeatOnConflict(() => releaseOnce(identityOf(poll))),
  };
}

/** The newest poll of a cluster, or one that renews its Lease. */
export interface LastPoll {
  readonly at: Date;
  /** The installation; null if it is not known. */
  readonly by: string | null;
  /** Whether it still polls. */
  readonly isRunning: boolean;
  /** When the last poll of all workloads began, and the seconds since the one before; null if these are not known. */
  readonly rhythm: { readonly startedAt: Date; readonly everySeconds: number } | null;
  /** The longest time between two polls by the schedule; null if it is not known. */
  readonly longestSeconds: number | null;
}

/** Reads when a cluster was polled last; null if it has no Lease, or was never polled. Throws what `Cluster` throws. */
export async function readLastPoll(
  kubeConfig: KubeConfig,
  namespaces: readonly string[] | null,
): Promise<LastPoll | null> {
  const api = createKubernetesApi(kubeConfig);
  const lease = await api.get<Lease>(leaseResource, pawlNamespace(namespaces), pollLeaseName);
  const at = parseRfc3339(lease?.spec?.renewTime ?? "");
  if (lease === null || at === null) return null;
  const { holderIdentity, acquireTime } = lease.spec ?? {};
  const note = parsePollNote(lease.metadata.annotations?.[pollAnnotation]);
  const startedAt = parseRfc3339(acquireTime ?? "");
  const everySeconds = note?.everySeconds ?? null;
  return {
    at,
    by: holderIdentity?.split(" ")[0] || (note?.by ?? null),
    isRunning: Boolean(holderIdentity),
    longestSeconds: note?.longestSeconds ?? null,
    rhythm: startedAt === null || everySeconds === null ? null : { startedAt, everySeconds },
  };
}

/** Reads the lease again if somebody else wrote to it. */
async function repeatOnConflict<Result>(attempt: () => Promise<Result>, attempts = maxAttempts): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!isConflict(error) || attempts <= 1) throw error;
    return repeatOnConflict(attempt, attempts - 1);
  }
}
