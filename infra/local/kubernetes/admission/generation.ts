import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "../objects.ts";
import type { GenerationScope } from "../resources.ts";

const countedContent: Readonly<Record<GenerationScope, (object: KubeObject) => unknown>> = {
  none: () => null,
  spec: (object) => object["spec"],
  "spec and annotations": (object) => [object["spec"], object.metadata.annotations],
  content: ({ metadata: _metadata, ...content }) => content,
  "content but status": ({ metadata: _metadata, status: _status, ...content }) => content,
};

/** Returns the generation after a write; undefined for kinds without one. For Deployments, annotations count too. */
export function nextGeneration(
  resource: { readonly generationScope: GenerationScope },
  before: KubeObject,
  after: KubeObject,
): number | undefined {
  const { generation } = before.metadata;
  if (generation === undefined) return undefined;
  const counted = countedContent[resource.generationScope];
  return isDeepStrictEqual(counted(before), counted(after)) ? generation : generation + 1;
}
