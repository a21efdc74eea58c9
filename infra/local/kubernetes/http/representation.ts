import { notAcceptable } from "../api-errors.ts";
import type { KubeObject } from "../objects.ts";
import { apiVersionOf, type Resource } from "../resources.ts";
import type { Page } from "../store/paging.ts";

/** Whether a client requests full objects or only their metadata. */
export type Representation = "full" | "metadata";

/** Returns the first supported representation in the Accept header; tables and protobuf are skipped. Throws 406. */
export function negotiateRepresentation(accept: string | undefined): Representation {
  for (const offer of (accept ?? "*/*").split(",")) {
    const [mediaType = "", ...parameters] = offer.split(";").map((part) => part.trim());
    if (!["application/json", "application/*", "*/*"].includes(mediaType)) continue;
    const as = parameters.find((parameter) => parameter.startsWith("as="))?.slice("as=".length);
    if (as === undefined) return "full";
    const isMeta =
      parameters.includes("g=meta.k8s.io") && parameters.some((one) => one === "v=v1" || one === "v=v1beta1");
    if (isMeta && (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList")) return "metadata";
  }
  throw notAcceptable();
}

export function represent(object: KubeObject, representation: Representation): unknown {
  if (representation === "full") return object;
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
}

/** Returns a list. As in Kubernetes, items of built-in kinds omit their kind, and filtered lists omit `remainingItemCount`. */
export function representList(
  resource: Resource,
  page: Page,
  isSelection: boolean,
  representation: Representation,
): unknown {
  const metadata = {
    resourceVersion: page.revision,
    ...(page.continueToken && { continue: page.continueToken }),
    ...(page.remaining > 0 && !isSelection && { remainingItemCount: page.remaining }),
  };
  if (representation === "metadata") {
    const items = page.items.map((item) => represent(item, representation));
    return { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata, items };
  }
  const items = page.items.map(({ apiVersion, kind, ...item }) =>
    resource.custom ? { apiVersion, kind, ...item } : item,
  );
  return { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata, items };
}
