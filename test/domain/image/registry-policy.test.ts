import { expect, test } from "vitest";
import { type ImageReference, parseImageReference } from "../../../functions/domain/image/reference.ts";
import { createRegistryPolicy } from "../../../functions/domain/image/registry-policy.ts";

const denied = (name: string) => `${name} is in registries.denied of the deployment`;
const notAllowed = (name: string) =>
  `${name} is not in registries.allowed of the deployment; add its host or a prefix of it`;

test.for([
  { allowed: ["*"], refused: [], image: "nginx:1.27", refusal: null },
  { allowed: ["ghcr.io/team"], refused: [], image: "ghcr.io/team/app", refusal: null },
  { allowed: ["ghcr.io/team"], refused: [], image: "nginx", refusal: notAllowed("docker.io/library/nginx") },
  { allowed: ["*", "harbor.corp"], refused: [], image: "nginx", refusal: null },
  { allowed: ["*"], refused: ["docker.io"], image: "nginx", refusal: denied("docker.io/library/nginx") },
  { allowed: ["ghcr.io"], refused: ["ghcr.io/x"], image: "ghcr.io/x/app", refusal: denied("ghcr.io/x/app") },
  { allowed: ["ghcr.io"], refused: ["ghcr.io/x"], image: "ghcr.io/y/app", refusal: null },
  { allowed: [], refused: [], image: "nginx", refusal: notAllowed("docker.io/library/nginx") },
])("allowed $allowed, denied $refused, $image: $refusal", ({ allowed, refused, image, refusal }) => {
  const policy = createRegistryPolicy(allowed, refused);
  expect(policy.repositoryRefusal(parseImageReference(image) as ImageReference)).toBe(refusal);
});

test.for([
  { host: "harbor.corp", isNamed: true, refusal: null },
  { host: "harbor.corp:8443", isNamed: true, refusal: null },
  { host: "auth.docker.io", isNamed: false, refusal: null },
  { host: "evil.example", isNamed: false, refusal: denied("evil.example") },
  { host: "ghcr.io", isNamed: false, refusal: null },
])("a registry names $host: $refusal", ({ host, isNamed, refusal }) => {
  const policy = createRegistryPolicy(["*", "harbor.corp"], ["evil.example", "ghcr.io/team"]);
  expect(policy.hostRefusal(host)).toBe(refusal);
  expect(policy.isNamed(host)).toBe(isNamed);
});
