import { notAcceptable } from "../failure.ts";
import type { KubeObject } from "../objects.ts";
import { apiVersionOf, type Resource } from "../resources.ts";
import type { Page } from "../store/paging.ts";

/** How much of an object its reader wants to see. */
export type Shape = "whole" | "metadata";

/** The first shape in the Accept header that can be served; tables and protobuf are passed over. Throws 406. */
export function shapeFor(accept: string | undefined): Shape {
  for (const offer of (accept ?? "*/*").split(",")) {
    const [mediaType = "", ...parameters] = offer.split(";").map((part) => part.trim());
    if (!["application/json", "application/*", "*/*"].includes(mediaType)) continue;
    const as = parameters.find((parameter) => parameter.startsWith("as="))?.slice("as=".length);
    if (as === undefined) return "whole";
    const isMeta =
      parameters.includes("g=meta.k8s.io") && parameters.some((one) => one === "v=v1" || one === "v=v1beta1");
    if (isMeta && (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList")) return "metadata";
  }
  throw notAcceptable();
}

export function represent(object: KubeObject, shape: Shape): unknown {
  if (shape === "whole") return object;
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
}

/** Items of a built-in kind do not say their kind in a list, and `remainingItemCount` is unknown of a selection. */
export function representList(resource: Resource, page: Page, isSelection: boolean, shape: Shape): unknown {
  const metadata = {
    resourceVersion: page.revision,
    ...(page.continueToken && { continue: page.continueToken }),
    ...(page.remaining > 0 && !isSelection && { remainingItemCount: page.remaining }),
  };
  if (shape === "metadata") {
    const items = page.items.map((item) => represent(item, shape));
    return { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata, items };
  }
  const items = page.items.map(({ apiVersion, kind, ...item }) =>
    resource.custom ? { apiVersion, kind, ...item } : item,
  );
  return { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata, items };
}
