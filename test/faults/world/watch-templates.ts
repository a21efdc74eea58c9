import { createInterface } from "node:readline";
import { Readable } from "node:stream";

interface WatchEvent {
  readonly type: string;
  readonly object: {
    readonly metadata: { readonly name: string };
    readonly spec?: { readonly template?: unknown };
  };
}

/** How often the pod template of each workload was changed. */
export interface TemplateChanges {
  of(name: string): number;
  /** Ends the watch. */
  stop(): void;
}

/** Watches the Deployments or StatefulSets of a namespace. */
export async function watchTemplates(cluster: string, plural: string): Promise<TemplateChanges> {
  const [changes, latest] = [new Map<string, number>(), new Map<string, string>()];
  const stopped = new AbortController();
  const path = `/apis/apps/v1/namespaces/shop/${plural}?watch=1`;
  const { body } = await fetch(`${cluster}${path}`, { signal: stopped.signal });
  if (body === null) throw new Error(`${path}: no stream`);
  const stream = Readable.fromWeb(body);
  stream.on("error", () => undefined);
  createInterface({ input: stream })
    .on("error", () => undefined)
    .on("line", (line) => {
      const { object } = JSON.parse(line) as WatchEvent;
      const { name } = object.metadata;
      const template = JSON.stringify(object.spec?.template);
      if (latest.has(name) && latest.get(name) !== template) changes.set(name, (changes.get(name) ?? 0) + 1);
      latest.set(name, template);
    });
  return { of: (name) => changes.get(name) ?? 0, stop: () => stopped.abort() };
}
