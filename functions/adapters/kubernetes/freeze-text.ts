import { freezeKey, freezeName, type FreezeText } from "../../ports/cluster.ts";
import { Forbidden } from "../../ports/errors.ts";
import type { CoreApi } from "./core-api.ts";
import type { EventSubject } from "./event.ts";

/** Reads the ConfigMap with the freezes of a cluster. */
export async function readFreezeText(api: Pick<CoreApi, "getConfigMap">, namespace: string): Promise<FreezeText> {
  try {
    return { kind: "text", text: await api.getConfigMap(namespace, freezeName, freezeKey) };
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error;
    return { kind: "unreadable", reason: error.message };
  }
}

/** Returns what an Event about the freezes is about: by name, because the ConfigMap may have been deleted. */
export function freezeSubject(namespace: string): EventSubject {
  return { apiVersion: "v1", kind: "ConfigMap", namespace, name: freezeName, uid: "", resourceVersion: "" };
}
