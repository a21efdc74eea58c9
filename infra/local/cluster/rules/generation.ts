import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "../objects.ts";
import type { GenerationOf } from "../resources.ts";

const counts: Readonly<Record<GenerationOf, (object: KubeObject) => unknown>> = {
  none: () => null,
  spec: (object) => object["spec"],
  "spec and annotations": (object) => [object["spec"], object.metadata.annotations],
  content: ({ metadata: _metadata, ...content }) => content,
  "content but status": ({ metadata: _metadata, status: _status, ...content }) => content,
};

/** The generation of an object after a write; undefined for kinds without one. A Deployment counts its annotations too. */
export function generationAfter(
  resource: { readonly generationOf: GenerationOf },
  before: KubeObject,
  after: KubeObject,
): number | undefined {
  const { generation } = before.metadata;
  if (generation === undefined) return undefined;
  const counted = counts[resource.generationOf];
  return isDeepStrictEqual(counted(before), counted(after)) ? generation : generation + 1;
}
