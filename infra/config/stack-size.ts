/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
export const maxResources = 500;

/** Resources of a cluster in the stack; with node pools one less if SSM is not used. */
export const resourcesPerCluster = 112;
export const resourcesWithNodePools = 164;

/** Of the function that restores releases. */
export const resourcesOfReleases = 6;
/** Of the functions that run hooks. */
export const resourcesOfHooks = 12;

/** The bus, the topic, the dashboard and other shared resources, including some notifications. */
const sharedResources = 20;

export const maxClusters = Math.floor((maxResources - sharedResources) / resourcesPerCluster);

interface ClusterSize {
  readonly nodePools: object | null;
  readonly releases: boolean;
  readonly hooks: boolean;
}

/** Returns why these clusters do not fit into one stack, or null. */
export function stackSizeProblem(clusters: readonly ClusterSize[]): string | null {
  if (clusters.length > maxClusters) return null;
  const withPools = clusters.filter(({ nodePools }) => nodePools !== null).length;
  const withReleases = clusters.filter(({ releases }) => releases).length;
  const withHooks = clusters.filter(({ hooks }) => hooks).length;
  const without = clusters.length - withPools;
  const resources =
    sharedResources +
    withPools * resourcesWithNodePools +
    without * resourcesPerCluster +
    withReleases * resourcesOfReleases +
    withHooks * resourcesOfHooks;
  if (resources <= maxResources) return null;
  const fewer = withReleases + withHooks > 0 ? ", and fewer with releases or hooks" : "";
  return (
    `${withPools} with nodePools and ${without} without need about ${resources} resources, and CloudFormation allows ` +
    `${maxResources} per stack; use at most 2 and 1, or 1 and 2${fewer}`
  );
}
