/** How many requests a second Pawl sends to AWS. */
export interface AwsRates {
  /** StartExecution. */
  readonly startsPerSecond: number;
  /** DescribeExecution. */
  readonly describesPerSecond: number;
  /** PutEvents. */
  readonly eventsPerSecond: number;
}

/** Some rates, as people write them. What is absent is the default. */
export type SomeAwsRates = { readonly [Rate in keyof AwsRates]?: number | undefined };

/** Of each cluster. In most regions an account may send StartExecution 150, DescribeExecution 10 and PutEvents 400 times a second. */
export const defaultAwsRates: AwsRates = { startsPerSecond: 10, describesPerSecond: 1, eventsPerSecond: 20 };

/** How many clusters of an account and region have the default each; more share the sum. */
export const clustersOfDefault = 10;

/** The least that a share may be. */
export const minAwsRate = 0.001;

/** Returns the share of each cluster of an account and region in the rates of all. */
export function shareRates(rates: SomeAwsRates | undefined, clusters: number): AwsRates {
  const all = mapRates((name) => rates?.[name] ?? defaultAwsRates[name] * Math.min(clusters, clustersOfDefault));
  return divideRates(all, clusters);
}

/** Divides the rates of a cluster among its processes. */
export function divideRates(rates: SomeAwsRates | undefined, count: number): AwsRates {
  const divide = (rate: number) => Math.max(minAwsRate, Math.floor((rate / count) * 1000) / 1000);
  return mapRates((name) => divide(rates?.[name] ?? defaultAwsRates[name]));
}

function mapRates(rateOf: (name: keyof AwsRates) => number): AwsRates {
  return {
    startsPerSecond: rateOf("startsPerSecond"),
    describesPerSecond: rateOf("describesPerSecond"),
    eventsPerSecond: rateOf("eventsPerSecond"),
  };
}
