import { byName } from "../../functions/domain/node-pool/pool/membership.ts";
import { NotFound } from "../exit-codes.ts";
import { joinNames } from "../output/join-names.ts";

/** Returns the node pool of this name. Throws `NotFound`, which lists the existing ones. */
export function findPool<Pool extends { readonly name: string }>(name: string, pools: readonly Pool[]): Pool {
  const found = pools.find((pool) => pool.name === name);
  if (found !== undefined) return found;
  const names = [...pools].sort(byName).map((pool) => pool.name);
  const others = names.length === 0 ? ": the cluster has none" : `; available: ${joinNames(names)}`;
  throw new NotFound(`node pool ${name} not found${others}`);
}
