/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
export const mostResources = 500;

/** What a cluster comes to in the stack; without SSM it is one less with node pools. */
export const resourcesOfCluster = 93;
export const resourcesWithNodePools = 145;

/** The bus, the topic, the page and their like, with room for some notifications. */
const sharedResources = 20;

export const mostClusters = Math.floor((mostResources - sharedResources) / resourcesOfCluster);

/** Why so many clusters do not fit into one stack, of which each is given by its node pools; null where they do. */
export function whyTooMany(nodePools: readonly (object | null)[]): string | null {
  if (nodePools.length > mostClusters) return null;
  const withPools = nodePools.filter((pools) => pools !== null).length;
  const without = nodePools.length - withPools;
  const resources = sharedResources + withPools * resourcesWithNodePools + without * resourcesOfCluster;
  if (resources <= mostResources) return null;
  return (
    `${withPools} with nodePools and ${without} without come to about ${resources} resources, and CloudFormation takes ` +
    `${mostResources} in a stack: at most 3 and 0, 2 and 2, or 1 and 3`
  );
}
