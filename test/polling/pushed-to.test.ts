import { expect, test } from "vitest";
import { follows } from "../../functions/polling/pushed-to.ts";
import { workload } from "../support/workloads.ts";

const ecr = "123456789012.dkr.ecr.eu-central-1.amazonaws.com";
const pushed = { repository: "shop/app", registry: "123456789012", region: "eu-central-1" };

function followedByDigest(...images: string[]) {
  const containers = images.map((image, index) => ({ name: `c-${index}`, image }));
  const digests = {
    containers,
    last: {},
    former: [],
    returning: null,
    firstSight: "restart",
    isHeldBack: false,
  } as const;
  return workload({ source: null, image: images[0] ?? null, digests });
}

test.for([
  { who: "by tag", subject: workload({ source: `${ecr}/shop/app:1.0.0` }), isFollowing: true },
  { who: "by digest", subject: followedByDigest(`${ecr}/shop/app:prod`), isFollowing: true },
  { who: "by digest in a second container", subject: followedByDigest("nginx", `${ecr}/shop/app`), isFollowing: true },
  { who: "another repository by digest", subject: followedByDigest(`${ecr}/shop/web:prod`), isFollowing: false },
  {
    who: "a repository of this name elsewhere",
    subject: followedByDigest("quay.io/shop/app:prod"),
    isFollowing: false,
  },
  { who: "nothing", subject: workload({ source: null }), isFollowing: false },
])("a workload that follows $who follows what was pushed: $isFollowing", ({ subject, isFollowing }) => {
  expect(follows(subject, pushed)).toBe(isFollowing);
});
