import * as v from "valibot";
import { invalid, type ParseError } from "../../text/parse-error.ts";
import { closedObject, durationSeconds, parsedBy, trimmedText } from "../../text/schema.ts";
import { defaultArrivalSeconds, metricDataQueries, resultPeriodSeconds } from "./metric-data-query.ts";
import type { Endpoint, QueryProvider } from "./provider.ts";

const region = /^[a-z]{2,4}(?:-[a-z]+)+-[0-9]+$/;
const maxArrivalSeconds = 3600;
const form = "a region such as eu-central-1";

/** The address is a region. */
function parse(text: string): Endpoint | ParseError {
  if (!region.test(text)) return invalid(text, `is not ${form}`);
  const loginProblem = `CloudWatch in ${text} has no login: Pawl's own credentials are used; remove it`;
  return { kind: "endpoint", address: text, scope: text, loginProblem };
}

export const cloudwatch = {
  field: "cloudWatch",
  schema: v.pipe(
    closedObject({
      region: v.nullish(v.pipe(trimmedText(form), parsedBy(parse)), null),
      /** After the end of a period. */
      arrivalDelay: v.nullish(durationSeconds(0, maxArrivalSeconds), `${defaultArrivalSeconds}s`),
      metricDataQueries,
    }),
    v.transform(({ region: endpoint, arrivalDelay, metricDataQueries: queries }) => ({
      provider: { kind: "cloudwatch", address: endpoint?.address ?? null } as const,
      query: JSON.stringify(queries),
      periodSeconds: resultPeriodSeconds(queries),
      arrivalSeconds: arrivalDelay,
    })),
  ),
  verdict: null,
  title: "CloudWatch",
  setting: {
    name: "cloudWatchRegions",
    variable: "PAWL_CLOUDWATCH_REGIONS",
    option: "--cloudwatch-region <region>",
    description: "Regions in which an analysis may query all metrics of CloudWatch; the first is the default.",
    pattern: region,
  },
  parse,
} as const satisfies QueryProvider;
