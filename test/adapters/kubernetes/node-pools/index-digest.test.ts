import { expect, test } from "vitest";
import { readBootcNode } from "../../../../functions/adapters/kubernetes/node-pools/bootc-node-object.ts";
import { digestB, digestC, imageA, imageB } from "../../../domain/node-pool/pools.ts";

test.for([
  { when: "names the desired index", image: imageB, digest: digestB },
  { when: "names another index", image: imageA, digest: digestC },
  { when: "names none", image: "quay.io/example/myos:latest", digest: digestC },
])("of an image for several architectures, the digest of a node whose reference $when", ({ image, digest }) => {
  const metadata = { name: "w1", uid: "1", resourceVersion: "1" };
  const has = { image, imageDigest: digestC };
  const node = readBootcNode({ metadata, spec: { desiredImage: imageB }, status: { booted: has, staged: has } });
  expect(node).toMatchObject({ bootedDigest: digest, stagedDigest: digest });
});
