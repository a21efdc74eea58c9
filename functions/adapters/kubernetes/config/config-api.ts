import { hash } from "node:crypto";
import type { CoreV1Api } from "@kubernetes/client-node";
import { listTypedItems } from "../node-pools/typed-list.ts";
import { nullIfNotFound, type RequestOptions } from "../requests.ts";

/** What a ConfigMap or Secret contains, by key: SHA-256 hashes, because a poll keeps those of all objects that it has read. */
export interface ConfigContent {
  readonly resourceVersion: string;
  readonly hashes: Readonly<Record<string, string>>;
}

/** The requests for configuration of pods. */
export interface ConfigApi {
  /** Lists the resourceVersion of every ConfigMap of a namespace by name, without content. */
  listConfigMaps(namespace: string): Promise<ReadonlyMap<string, string>>;
  /** Returns the resourceVersion of a Secret, without content; null if it does not exist. */
  getSecretVersion(namespace: string, name: string): Promise<string | null>;
  /** Returns hashes of the content; null if the object does not exist. */
  getConfigContent(kind: "configmap" | "secret", namespace: string, name: string): Promise<ConfigContent | null>;
}

const asMetadata = { Accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" };
const asMetadataList = { Accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" };

interface Named {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
}

export function createConfigApi(core: CoreV1Api, options: RequestOptions): ConfigApi {
  return {
    async listConfigMaps(namespace) {
      const versions = new Map<string, string>();
      const list = (paging: object) => core.listNamespacedConfigMap({ namespace, ...paging }, options(asMetadataList));
      for await (const page of listTypedItems<Named>(list, `list ConfigMaps of ${namespace}`)) {
        for (const { metadata } of page) versions.set(metadata.name, metadata.resourceVersion);
      }
      return versions;
    },

    async getSecretVersion(namespace, name) {
      const found = await nullIfNotFound(`read the metadata of Secret ${namespace}/${name}`, () =>
        core.readNamespacedSecret({ namespace, name }, options(asMetadata)),
      );
      return found?.metadata?.resourceVersion ?? null;
    },

    async getConfigContent(kind, namespace, name) {
      const what = `read ${kind === "secret" ? "Secret" : "ConfigMap"} ${namespace}/${name}`;
      const found = await nullIfNotFound(what, () =>
        kind === "secret"
          ? core.readNamespacedSecret({ namespace, name }, options())
          : core.readNamespacedConfigMap({ namespace, name }, options()),
      );
      if (found === null) return null;
      const binary = "binaryData" in found ? found.binaryData : undefined;
      const values = Object.entries({ ...found.data, ...binary });
      const hashes = Object.fromEntries(values.map(([key, value]) => [key, hash("sha256", value)]));
      return { resourceVersion: found.metadata?.resourceVersion ?? "", hashes };
    },
  };
}
