import * as v from "valibot";
import { prometheus } from "../../analysis/providers/prometheus.ts";
import type { QuerySource } from "../../analysis/spec.ts";
import { closedObject, parsedBy, text } from "../../text/schema.ts";
import { type Validation, validate } from "../../text/schema-problems.ts";

/** Alerts of a Prometheus that keep nodes from acquiring slots while they fire. */
export interface BlockingAlerts {
  /** null is the default of the deployment. */
  readonly address: string | null;
  /** Label matchers of PromQL, all of which an alert must match: `severity="critical"`. */
  readonly matchers: readonly string[];
}

const matcher = text(
  /^[a-zA-Z_]\w*(?:=|!=|=~|!~)"(?:[^"\\\n]|\\[^\n])*"$/,
  'a label matcher such as severity="critical"',
);
const address = v.pipe(v.string("the address of a Prometheus"), v.trim(), parsedBy(prometheus.parse));

const schema = v.pipe(
  closedObject({
    prometheus: v.nullish(address, null),
    matchers: v.pipe(v.array(matcher, "a list of 1 to 10 matchers"), v.minLength(1), v.maxLength(10)),
  }),
  v.transform((written) => ({ address: written.prometheus?.address ?? null, matchers: written.matchers })),
);

export function parseBlockingAlerts(written: unknown): Validation<BlockingAlerts> {
  return validate(schema, written, "blockOnAlerts");
}

/** Returns where to count the alerts that fire, and the query. */
export function alertsQuery({ address: of, matchers }: BlockingAlerts): { source: QuerySource; query: string } {
  const query = `count(ALERTS{${['alertstate="firing"', ...matchers].join(",")}}) or vector(0)`;
  return { source: { kind: "prometheus", address: of }, query };
}
