import { expect, test } from "vitest";
import type { ImageReference } from "../../../functions/domain/image/reference.ts";
import { parseImageReference } from "../../../functions/domain/image/reference.ts";
import {
  isInScope,
  matchesRepository,
  parseRepositoryPattern,
} from "../../../functions/domain/image/repository-pattern.ts";

test.for([
  { pattern: "ghcr.io", image: "ghcr.io/team/app", matches: true },
  { pattern: "GHCR.io", image: "ghcr.io/team/app", matches: true },
  { pattern: "ghcr.io", image: "GHCR.io/team/app", matches: true },
  { pattern: "ghcr.io/team", image: "ghcr.io/team/app", matches: true },
  { pattern: "ghcr.io/team/app", image: "ghcr.io/team/app", matches: true },
  { pattern: "ghcr.io/team", image: "ghcr.io/team2/app", matches: false },
  { pattern: "ghcr.io/team/app/x", image: "ghcr.io/team/app", matches: false },
  { pattern: "docker.io", image: "nginx", matches: true },
  { pattern: "index.docker.io/library", image: "nginx", matches: true },
  { pattern: "docker.io/library/nginx", image: "docker.io/nginx", matches: true },
  { pattern: "docker.io", image: "ghcr.io/library/nginx", matches: false },
  { pattern: "r.example:5000", image: "r.example:5000/app", matches: true },
  { pattern: "r.example:5000", image: "r.example/app", matches: false },
  { pattern: "r.example:5000", image: "r.example:5001/app", matches: false },
  { pattern: "r.example", image: "r.example:5000/app", matches: true },
  { pattern: "[::1]", image: "[::1]:5000/app", matches: true },
  { pattern: "[::1]:5000", image: "[::1]/app", matches: false },
  { pattern: "*.azurecr.io", image: "shop.azurecr.io/app", matches: true },
  { pattern: "*.azurecr.io", image: "azurecr.io/app", matches: false },
  { pattern: "*.azurecr.io", image: "a.b.azurecr.io/app", matches: false },
  { pattern: "*.azurecr.io", image: "shop.azurecr.io.evil.example/app", matches: false },
  { pattern: "*.azurecr.io/team", image: "shop.azurecr.io/other", matches: false },
  { pattern: "sub*.k8s.io", image: "submarine.k8s.io/app", matches: true },
  { pattern: "sub*.k8s.io", image: "bus.k8s.io/app", matches: false },
  { pattern: "*b*c*.example", image: "abxcd.example/app", matches: true },
  { pattern: "*b*c*.example", image: "acxbd.example/app", matches: false },
  { pattern: "aba*aba.example", image: "aba.example/app", matches: false },
])("$pattern matches $image: $matches", ({ pattern, image, matches }) => {
  const parsed = parseImageReference(image) as ImageReference;
  expect(matchesRepository(parseRepositoryPattern(pattern), parsed)).toBe(matches);
});

test("a host with a dot at its end is the same host", () => {
  const image = { registry: "evil.example.", repository: "app" };
  expect(matchesRepository(parseRepositoryPattern("evil.example"), image)).toBe(true);
});

test.for([
  { patterns: null, inScope: true },
  { patterns: [], inScope: false },
  { patterns: ["ghcr.io/other", "ghcr.io/team"], inScope: true },
  { patterns: ["ghcr.io/other"], inScope: false },
])("ghcr.io/team/app is in the scope of $patterns: $inScope", ({ patterns, inScope }) => {
  expect(isInScope(patterns, parseImageReference("ghcr.io/team/app") as ImageReference)).toBe(inScope);
});
