import { expect, test } from "vitest";
import { createPushFilter } from "../../../functions/workflows/poll/create-filters.ts";
import { workload } from "../../support/workloads.ts";

const ecr = "123456789012.dkr.ecr.eu-central-1.amazonaws.com";
const push = { repository: "shop/app", registry: "123456789012", region: "eu-central-1" };

function trackedByDigest(...images: string[]) {
  const containers = images.map((image, index) => ({ name: `c-${index}`, image }));
  const digests = {
    containers,
    deployed: {},
    previous: [],
    reverted: null,
    initialDigestPolicy: "restart",
    isBlockedByFinalizer: false,
  } as const;
  return workload({ source: null, image: images[0] ?? null, digests });
}

test.for([
  { what: "the repository by tag", subject: workload({ source: `${ecr}/shop/app:1.0.0` }), isTracked: true },
  {
    what: "the repository by tag and digest",
    subject: workload({ source: `${ecr}/shop/app:1.0.0@sha256:${"a".repeat(64)}` }),
    isTracked: true,
  },
  { what: "the repository by digest", subject: trackedByDigest(`${ecr}/shop/app:prod`), isTracked: true },
  {
    what: "the repository by digest in a second container",
    subject: trackedByDigest("nginx", `${ecr}/shop/app`),
    isTracked: true,
  },
  { what: "another repository by digest", subject: trackedByDigest(`${ecr}/shop/web:prod`), isTracked: false },
  {
    what: "a repository of this name in another registry",
    subject: trackedByDigest("quay.io/shop/app:prod"),
    isTracked: false,
  },
  { what: "nothing", subject: workload({ source: null }), isTracked: false },
])("a push matches a workload that tracks $what: $isTracked", ({ subject, isTracked }) => {
  const others = ["us-east-1", "eu-west-1"].map((region) => ({ ...push, region }));
  expect(createPushFilter([...others, push])(subject)).toBe(isTracked);
  expect(createPushFilter(others)(subject)).toBe(false);
});
