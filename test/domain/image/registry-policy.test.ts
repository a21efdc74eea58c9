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
  { allowed: ["*"], refused: ["evil.io:443"], image: "evil.io/a", refusal: denied("evil.io/a") },
  { allowed: ["*"], refused: ["evil.io"], image: "evil.io:443/a", refusal: denied("evil.io:443/a") },
  { allowed: ["*"], refused: ["evil.io"], image: "EVIL.io/a", refusal: denied("evil.io/a") },
  {
    allowed: ["*"],
    refused: ["docker.io"],
    image: "registry.hub.docker.com/library/a",
    refusal: denied("docker.io/library/a"),
  },
  { allowed: ["*"], refused: ["docker.io"], image: "Index.Docker.IO:443/a", refusal: denied("docker.io/library/a") },
  { allowed: ["harbor.corp"], refused: [], image: "harbor.corp:443/a", refusal: null },
  { allowed: ["harbor.corp:443"], refused: [], image: "harbor.corp/a", refusal: null },
  { allowed: ["harbor.corp"], refused: [], image: "harbor.corp:6443/a", refusal: notAllowed("harbor.corp:6443/a") },
  { allowed: ["harbor.corp:80"], refused: [], image: "harbor.corp/a", refusal: notAllowed("harbor.corp/a") },
  { allowed: ["plain.corp"], refused: [], image: "plain.corp/a", refusal: null },
  { allowed: ["plain.corp:80"], refused: [], image: "plain.corp/a", refusal: null },
  { allowed: ["plain.corp:443"], refused: [], image: "plain.corp/a", refusal: notAllowed("plain.corp/a") },
  { allowed: [], refused: [], image: "nginx", refusal: notAllowed("docker.io/library/nginx") },
])("allowed $allowed, denied $refused, $image: $refusal", ({ allowed, refused, image, refusal }) => {
  const policy = createRegistryPolicy(allowed, refused, ["plain.corp"]);
  expect(policy.repositoryRefusal(parseImageReference(image) as ImageReference)).toBe(refusal);
});

const policy = createRegistryPolicy(
  ["*", "harbor.corp", "gitlab.corp:8443", "*.corp:9443"],
  ["evil.example", "ghcr.io/team"],
);

test.for([
  { host: "harbor.corp:443", refusal: null },
  { host: "auth.docker.io:443", refusal: null },
  { host: "evil.example:443", refusal: denied("evil.example") },
  { host: "evil.example:8443", refusal: denied("evil.example:8443") },
  { host: "ghcr.io:443", refusal: null },
])("a registry names $host: $refusal", ({ host, refusal }) => {
  expect(policy.hostRefusal(host)).toBe(refusal);
});

test.for([
  { image: "harbor.corp/a", isNamed: true, isNamedWithPort: false },
  { image: "harbor.corp:8443/a", isNamed: false, isNamedWithPort: false },
  { image: "gitlab.corp:8443/a", isNamed: true, isNamedWithPort: true },
  { image: "x.corp:9443/a", isNamed: true, isNamedWithPort: false },
  { image: "docker.io/a", isNamed: false, isNamedWithPort: false },
])("the deployment names $image: $isNamed, with its port: $isNamedWithPort", ({ image, isNamed, isNamedWithPort }) => {
  const reference = parseImageReference(image) as ImageReference;
  expect(policy.isNamed(reference)).toBe(isNamed);
  expect(policy.isNamedWithPort(reference.registry)).toBe(isNamedWithPort);
});
