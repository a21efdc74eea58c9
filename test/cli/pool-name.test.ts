import { describe, expect, test } from "vitest";
import { poolNamed } from "../../cli/pools/find.ts";
import { poolNameIn } from "../../cli/pools/name.ts";

describe("a node pool is meant by", () => {
  test.for([
    ["bootcnodepool/workers", "workers"],
    ["BootcNodePool/workers", "workers"],
    ["bootcnodepools/workers", "workers"],
    ["bootcnodepools.node.bootc.dev/workers", "workers"],
    ["pool/workers", "workers"],
    ["pools/workers", "workers"],
    ["bnp/workers", "workers"],
    // A workload of a namespace of that name is written with its kind.
    ["deployment/pool/web", null],
    ["shop/pool", null],
    ["pool", null],
    ["deployment/web", null],
    ["workers", null],
  ] as const)("%s: %s", ([written, name]) => {
    expect(poolNameIn(written)).toBe(name);
  });

  test.for(["pool/shop/web", "bnp/", "bnp/a/b/c"])("%s is refused", (written) => {
    expect(() => poolNameIn(written)).toThrow(expect.objectContaining({ name: "WrongInput" }));
  });
});

test("a pool that is not there is not found, and others are named", () => {
  const pools = [{ name: "workers" }, { name: "infra" }];
  expect(poolNamed("infra", pools)).toBe(pools[1]);
  const none = () => poolNamed("web", pools);
  expect(none).toThrow(
    expect.objectContaining({ name: "NotFound", message: "there is no node pool web; there are infra, workers" }),
  );
  expect(() => poolNamed("web", [])).toThrow("the cluster has none");
  const many = Array.from({ length: 22 }, (_, index) => ({ name: `p${index + 10}` }));
  expect(() => poolNamed("web", many)).toThrow(/p10, .*p29 and 2 more$/);
});
