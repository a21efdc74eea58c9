import type { ListSteps } from "../../ports/cluster.ts";
import type { KubernetesApi } from "./api.ts";
import { type AutoUpdates, type AutoUpdatesState, createAutoUpdates } from "./auto-update/list.ts";
import { isForbidden } from "./errors.ts";
import { firstPosition, type ListPosition } from "./list-position.ts";

/** What a list of all workloads has found so far. */
export interface ListState {
  readonly position: ListPosition;
  readonly autoUpdates: AutoUpdates;
  /** The lists that were denied or failed, by `listKey`. */
  readonly denied: Set<string>;
  /** How many denials were reported by earlier steps. */
  deniedLists: number;
  /** Whether a workload has no AutoUpdate because the CRD is not installed. */
  isUnrecorded: boolean;
  isAnyRead: boolean;
  /** Whether a list was answered in this step. */
  isAnswered: boolean;
}

/** The first line. Plain JSON. */
interface Head extends Pick<ListState, "position" | "deniedLists" | "isUnrecorded" | "isAnyRead"> {
  readonly denied: readonly string[];
  readonly autoUpdates: AutoUpdatesState;
}

/** Opens a list, at its begin or where its lines say. Throws if there are none. */
export async function openListState(
  namespaces: readonly (string | null)[],
  api: KubernetesApi,
  from: ListSteps["from"],
): Promise<ListState> {
  let state: ListState | null = null;
  for await (const line of from?.() ?? []) {
    if (state === null) {
      const { denied, autoUpdates, ...rest } = JSON.parse(line) as Head;
      state = {
        ...rest,
        isAnswered: false,
        denied: new Set(denied),
        autoUpdates: createAutoUpdates(namespaces, api, autoUpdates),
      };
    } else state.autoUpdates.add(line);
  }
  if (state === null && from !== null) throw new Error("the list of workloads: nothing was kept that continues it");
  return (
    state ?? {
      position: firstPosition(),
      autoUpdates: createAutoUpdates(namespaces, api),
      denied: new Set(),
      deniedLists: 0,
      isUnrecorded: false,
      isAnyRead: false,
      isAnswered: false,
    }
  );
}

/** Throws a failed request if nothing answered the rest of a list that continues: the step must be repeated. A denied list is no failure. */
export function assertAnswered(state: ListState, steps: ListSteps | undefined, denials: readonly Error[]): void {
  const failed = denials.find((denial) => !isForbidden(denial));
  if (failed !== undefined && steps?.from && !state.isAnswered) throw failed;
}

/** Yields the lines of a list that stops. */
export function* linesOf(state: ListState): Iterable<string> {
  const { position, autoUpdates, denied, deniedLists, isUnrecorded, isAnyRead } = state;
  const head: Head = {
    position,
    denied: [...denied],
    deniedLists,
    isUnrecorded,
    isAnyRead,
    autoUpdates: autoUpdates.state(),
  };
  yield JSON.stringify(head);
  yield* autoUpdates.lines();
}
