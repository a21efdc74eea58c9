import type { PoolStatus } from "../../../node-pools/status.ts";
import { shorten } from "../format.tsx";
import { List } from "../list.tsx";
import { isLoaded, NotLoaded } from "../not-loaded.tsx";
import { StateBadge } from "../state-badge.tsx";
import { useStore } from "../store.ts";
import { useDocument } from "../use-document.ts";

export function PoolsPage() {
  const { poolChanges } = useStore();
  const pools = useDocument<readonly PoolStatus[]>("pools", "", poolChanges);
  if (!isLoaded(pools)) return <NotLoaded name="the node pools" document={pools} />;
  return (
    <>
      <h1>Node pools</h1>
      <List title="All pools" empty="The cluster has no node pools." head={["Pool", "State", "Nodes", "Image", "Why"]}>
        {pools.map(({ name, state, nodeCount, updatedCount, image, message }) => [
          <a href={`#/pool/${encodeURIComponent(name)}`}>{name}</a>,
          <StateBadge state={state} />,
          `${updatedCount} of ${nodeCount} updated`,
          image,
          shorten(message),
        ])}
      </List>
    </>
  );
}
