import { byName } from "../../functions/domain/node-pool/membership.ts";
import { NotFound } from "../exit.ts";
import { listed } from "../output/listed.ts";

/** The node pool of this name. Throws `NotFound`, naming those that there are. */
export function poolNamed<Pool extends { readonly name: string }>(name: string, pools: readonly Pool[]): Pool {
  const found = pools.find((pool) => pool.name === name);
  if (found !== undefined) return found;
  const names = [...pools].sort(byName).map((pool) => pool.name);
  const others = names.length === 0 ? ": the cluster has none" : `; there are ${listed(names)}`;
  throw new NotFound(`there is no node pool ${name}${others}`);
}
