import { describe, expect, test } from "vitest";
import { findPool } from "../../../cli/node-pools/find.ts";
import { parsePoolName } from "../../../cli/node-pools/name.ts";

describe("a node pool is named by", () => {
  test.for([
    ["bootcnodepool/workers", "workers"],
    ["BootcNodePool/workers", "workers"],
    ["bootcnodepools/workers", "workers"],
    ["bootcnodepools.node.bootc.dev/workers", "workers"],
    ["pool/workers", "workers"],
    ["pools/workers", "workers"],
    ["bnp/workers", "workers"],
    // A workload in a namespace of that name needs its kind.
    ["deployment/pool/web", null],
    ["shop/pool", null],
    ["pool", null],
    ["deployment/web", null],
    ["workers", null],
  ] as const)("%s: %s", ([argument, name]) => {
    expect(parsePoolName(argument)).toBe(name);
  });

  test.for(["pool/shop/web", "bnp/", "bnp/a/b/c"])("%s is rejected", (argument) => {
    expect(() => parsePoolName(argument)).toThrow(expect.objectContaining({ name: "InvalidInput" }));
  });
});

test("a pool that does not exist is NotFound, with the existing ones", () => {
  const pools = [{ name: "workers" }, { name: "infra" }];
  expect(findPool("infra", pools)).toBe(pools[1]);
  const none = () => findPool("web", pools);
  expect(none).toThrow(
    expect.objectContaining({ name: "NotFound", message: "node pool web not found; available: infra, workers" }),
  );
  expect(() => findPool("web", [])).toThrow("the cluster has none");
  const many = Array.from({ length: 22 }, (_, index) => ({ name: `p${index + 10}` }));
  expect(() => findPool("web", many)).toThrow(/p10, .*p29 and 2 more$/);
});
