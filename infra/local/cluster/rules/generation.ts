import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "../objects.ts";
import type { Resource } from "../resources.ts";

/** The generation of an object after a write; undefined for kinds without one. A Deployment counts its annotations too. */
export function generationAfter(resource: Resource, before: KubeObject, after: KubeObject): number | undefined {
  const { generation } = before.metadata;
  if (generation === undefined) return undefined;
  return isDeepStrictEqual(counted(resource, before), counted(resource, after)) ? generation : generation + 1;
}

function counted(resource: Resource, object: KubeObject): unknown {
  const { metadata, status, ...content } = object;
  switch (resource.generationOf) {
    case "spec":
      return object["spec"];
    case "spec and annotations":
      return [object["spec"], metadata.annotations];
    case "content":
      return [content, status];
    case "content but status":
      return content;
    case "none":
      return null;
  }
}
