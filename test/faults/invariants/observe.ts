import type { AutoUpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import type { Scenario } from "../scenario.ts";
import type { World } from "../world/world.ts";

interface Condition {
  readonly type: string;
  readonly status: string;
}

export interface Metadata {
  readonly name: string;
  readonly generation?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The fields of a workload or pod that the invariants are about. */
interface SeenObject {
  readonly metadata: Metadata;
  readonly spec: {
    readonly template?: { readonly spec: PodSpec };
    readonly containers?: PodSpec["containers"];
    readonly updateStrategy?: { readonly rollingUpdate?: { readonly partition?: number } };
  };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface PodSpec {
  readonly containers: readonly { readonly image: string }[];
}

/** One workload, its record and its pods. */
export interface SeenWorkload {
  readonly object: SeenObject | null;
  /** The tag of its pod template; null if it does not exist. */
  readonly tag: string | null;
  readonly status: AutoUpdateStatus;
  readonly pods: readonly { readonly tag: string; readonly isReady: boolean }[];
}

const shop = "/namespaces/shop";
const autoUpdates = `/apis/pawl.dev/v1alpha1${shop}/autoupdates`;

export async function seeWorkload(
  world: World,
  plural: NonNullable<Scenario["plural"]>,
  name: string,
): Promise<SeenWorkload> {
  const kind = plural.slice(0, -1);
  const object = await world.read<SeenObject>(`/apis/apps/v1${shop}/${plural}/${name}`);
  const record = await world.read<{ readonly status?: AutoUpdateStatus }>(`${autoUpdates}/${kind}-${name}`);
  const image = object?.spec.template?.spec.containers[0]?.image;
  return {
    object,
    tag: image === undefined ? null : tagOf(image),
    status: record?.status ?? {},
    pods: await seePods(world, name),
  };
}

async function seePods(world: World, app: string): Promise<SeenWorkload["pods"]> {
  const list = await world.read<{ readonly items: readonly SeenObject[] }>(`/api/v1${shop}/pods`);
  return (list?.items ?? [])
    .filter(({ metadata }) => metadata.labels?.["app"] === app)
    .map(({ spec, status }) => ({
      tag: tagOf(spec.containers?.[0]?.image ?? ""),
      isReady: isTrue(status?.conditions, "Ready"),
    }));
}

function tagOf(image: string): string {
  return image.split("@")[0]?.split(":").at(-1) ?? "";
}

function isTrue(conditions: readonly Condition[] = [], type: string): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === "True");
}

/** Returns the names of all objects of a kind in the namespace. */
export async function namesOf(world: World, plural: string): Promise<readonly string[]> {
  const list = await world.read<{ readonly items: readonly SeenObject[] }>(`/apis/apps/v1${shop}/${plural}`);
  return (list?.items ?? []).map(({ metadata }) => metadata.name);
}
