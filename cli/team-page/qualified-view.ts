import type { Action, ActionResult } from "../dashboard/actions.ts";
import { qualifyName, splitName } from "../dashboard/cluster-name.ts";
import type { PageMessage, PlanDocument, PoolDetail, StreamMessage, WorkloadDetail } from "../dashboard/model.ts";
import type { ClusterView, Query } from "../dashboard/server/cluster-view.ts";
import type { PoolStatus } from "../node-pools/status.ts";

/** By the name of their cluster. */
type Views = ReadonlyMap<string, ClusterView>;

/** Names what a message of one cluster says, for a page of several. */
export function qualifyMessage(cluster: string, message: StreamMessage): PageMessage {
  if (message.kind !== "snapshot" && message.kind !== "changed") return { ...message, cluster };
  const workloads = message.workloads.map((row) => withName(cluster, row, "key"));
  if (message.kind === "snapshot") return { ...message, workloads, cluster };
  return { ...message, workloads, gone: message.gone.map((key) => qualifyName(cluster, key)), cluster };
}

/** Combines the queries of several clusters: names in requests and answers begin with that of their cluster. */
export function combineQueries(views: Views): Readonly<Record<string, Query>> {
  const ofOne =
    (query: string, qualify: (cluster: string, document: unknown) => unknown): Query =>
    async (search) => {
      const { cluster, name } = splitName(search.get("key") ?? "");
      const named = new URLSearchParams({ ...Object.fromEntries(search), key: name });
      const document = (await views.get(cluster ?? "")?.queries[query]?.(named)) ?? null;
      return document === null ? null : qualify(cluster ?? "", document);
    };
  return {
    diff: ofOne("diff", (_cluster, document) => document),
    next: ofOne("next", (_cluster, document) => document),
    workload: ofOne("workload", (cluster, document) => {
      const detail = document as WorkloadDetail;
      return { ...detail, row: withName(cluster, detail.row, "key") };
    }),
    pool: ofOne("pool", (cluster, document) => {
      const detail = document as PoolDetail;
      return { ...detail, row: withName(cluster, detail.row, "name") };
    }),
    async pools(search) {
      const { answers, failures } = await askAll<readonly PoolStatus[]>(views, "pools", search);
      if (answers.length === 0 && failures[0] !== undefined) throw new Error(failures[0]);
      return answers.flatMap(([cluster, pools]) => pools.map((one) => withName(cluster, one, "name")));
    },
    async plan(search): Promise<PlanDocument> {
      const { answers, failures } = await askAll<PlanDocument>(views, "plan", search);
      return {
        rows: answers.flatMap(([cluster, { rows }]) => rows.map((row) => withName(cluster, row, "workload"))),
        notes: [...failures, ...answers.flatMap(([cluster, { notes }]) => notes.map((note) => `${cluster}: ${note}`))],
        registries: answers.flatMap(([, { registries }]) => registries),
      };
    },
  };
}

/** Performs an action on the cluster that its target names. */
export async function actOn(views: Views, action: Action): Promise<ActionResult> {
  const { cluster, name } = splitName(action.target);
  const view = views.get(cluster ?? "");
  if (view === undefined) return { isRefused: true, message: `you are not signed in to a cluster "${cluster ?? ""}"` };
  if (view.act === null) return { isRefused: true, message: `actions on ${cluster} are off; set allowActions` };
  return view.act({ ...action, target: name });
}

interface Answers<Answer> {
  readonly answers: readonly (readonly [cluster: string, document: Answer])[];
  readonly failures: readonly string[];
}

/** A cluster that does not answer hides no other. */
async function askAll<Answer>(views: Views, query: string, search: URLSearchParams): Promise<Answers<Answer>> {
  const answers: (readonly [cluster: string, document: Answer])[] = [];
  const failures: string[] = [];
  await Promise.all(
    [...views].map(async ([cluster, { queries }]) => {
      try {
        answers.push([cluster, (await queries[query]?.(search)) as Answer]);
      } catch (error) {
        failures.push(`${cluster}: ${(error as Error).message}`);
      }
    }),
  );
  return { answers: answers.toSorted(([one], [other]) => (one < other ? -1 : 1)), failures };
}

function withName<Field extends string, Row extends Readonly<Record<Field, string>>>(
  cluster: string,
  row: Row,
  field: Field,
): Row {
  return { ...row, [field]: qualifyName(cluster, row[field]) };
}
