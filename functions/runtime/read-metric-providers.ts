import * as v from "valibot";
import { type Endpoint, isSameScope } from "../domain/analysis/providers/provider.ts";
import { type QueryKind, queryKinds, queryProviders } from "../domain/analysis/providers/providers.ts";
import { parsedList } from "./env-readers.ts";

/** Where the text of a login is. */
export type LoginSource = { readonly secretArn: string } | { readonly file: string };

/** An address that an analysis may query; the login is sent to its scope only. */
export interface AllowedEndpoint extends Endpoint {
  readonly login: LoginSource | null;
}

/** The addresses of each provider; the first is the default. */
export type MetricProviderSettings = Readonly<Record<QueryKind, readonly AllowedEndpoint[]>>;

const variable = "PAWL_METRIC_LOGINS";
const address = v.string();
/** Absent: of each that has the address. */
const provider = v.optional(v.picklist(queryKinds));
const login = v.union([
  v.strictObject({ provider, address, secretArn: v.string() }),
  v.strictObject({ provider, address, file: v.string() }),
]);
const schema = v.pipe(v.string(), v.parseJson(), v.array(login));

/** Reads the variable of each provider, and the logins of all of them, which only functions have that query metrics. */
export function readMetricProviders(
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): MetricProviderSettings {
  const logins = v.safeParse(schema, environment[variable] || "[]");
  if (!logins.success) problems.push(`${variable} is invalid; use a JSON list of {address, secretArn}`);
  const read = (kind: QueryKind): readonly AllowedEndpoint[] => {
    const { setting, parse } = queryProviders[kind];
    return parsedList(setting.variable, environment, parse, problems).map((endpoint) => {
      const all = logins.success ? logins.output : [];
      const found =
        all.find((one) => (one.provider ?? kind) === kind && isSameScope(parse(one.address), endpoint)) ?? null;
      if (found !== null && endpoint.loginProblem !== null) problems.push(`${variable}: ${endpoint.loginProblem}`);
      return { ...endpoint, login: found };
    });
  };
  return Object.fromEntries(queryKinds.map((kind) => [kind, read(kind)])) as MetricProviderSettings;
}
