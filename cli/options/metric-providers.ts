import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { isSameScope, type QueryProvider } from "../../functions/domain/analysis/providers/provider.ts";
import { queryKinds, queryProviders } from "../../functions/domain/analysis/providers/providers.ts";
import type { Environment } from "../../functions/runtime/settings.ts";
import { InvalidInput } from "../exit-codes.ts";
import { addItems, validOrThrow } from "../input/parse.ts";

export interface MetricLoginOptions {
  readonly metricLogin?: readonly FileLogin[];
}

interface FileLogin {
  readonly address: string;
  readonly file: string;
}

const rows: readonly QueryProvider[] = Object.values(queryProviders);

/** Adds an option for each provider that analyses may query, and `withMetricLoginOption`. */
export function withMetricProviderOptions(command: Command): Command {
  for (const row of rows) command.addOption(optionOf(row));
  return withMetricLoginOption(command);
}

/** Adds the option of every command that queries metrics. No login is an argument: other users could read it. */
export function withMetricLoginOption(command: Command): Command {
  return command.addOption(
    new Option(
      "--metric-login <address=file>",
      'login for a Prometheus or a URL with https://: a file with a bearer token, {"username": "…", "password": "…"} or {"headers": {"NAME": "…"}}; may be repeated',
    ).argParser(addLogin),
  );
}

/** Returns the environment of a function that queries metrics. Throws `InvalidInput`. */
export async function metricProviderEnvironment(flags: MetricLoginOptions): Promise<Environment> {
  const given: Readonly<Record<string, unknown>> = { ...flags };
  const addressesOf = (row: QueryProvider) => (given[optionOf(row).attributeName()] ?? []) as readonly string[];
  for (const row of rows)
    for (const address of addressesOf(row)) validOrThrow(`${optionOf(row).long}`, row.parse(address));
  const { metricLogin = [] } = flags;
  const logins = metricLogin.map(({ address, file }) => {
    // The URL of a single metric is narrower than a Prometheus of its origin.
    const provider = queryKinds.findLast((kind) => {
      const { parse }: QueryProvider = queryProviders[kind];
      return addressesOf(queryProviders[kind]).some((one) => isSameScope(parse(one), parse(address)));
    });
    if (provider !== undefined) return { provider, address, file };
    throw new InvalidInput(`--metric-login: ${address} may not be queried; add --prometheus ${address}`);
  });
  await checkMetricLogins(flags);
  const variables = rows.map((row) => [row.setting.variable, addressesOf(row).join(",")] as const);
  return { ...Object.fromEntries(variables), PAWL_METRIC_LOGINS: JSON.stringify(logins) };
}

/** Checks that each file has a login. Throws `InvalidInput`, which names the file and never its text. */
export async function checkMetricLogins({ metricLogin = [] }: MetricLoginOptions): Promise<void> {
  const { fileLogin } = await import("../../functions/adapters/metric-provider-access.ts");
  const { parseLogin } = await import("../../functions/adapters/prometheus/login.ts");
  for (const { file } of metricLogin) {
    await fileLogin(file)
      .get()
      .then((text) => parseLogin(text, file))
      .catch(({ message }: Error) => {
        throw new InvalidInput(`--metric-login: ${message}`);
      });
  }
}

function optionOf({ setting: { option, variable, description } }: QueryProvider): Option {
  return new Option(option, description.replace(/\.$/, "; may be repeated")).env(variable).argParser(addItems);
}

function addLogin(text: string, before: readonly FileLogin[] = []): readonly FileLogin[] {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Use https://host[:port]=file.");
  const endpoint = queryProviders.prometheus.parse(text.slice(0, at));
  const problem = endpoint.kind === "invalid" ? endpoint.reason : endpoint.loginProblem;
  if (endpoint.kind === "invalid" || problem !== null) throw new InvalidArgumentError(problem ?? "");
  return [...before, { address: endpoint.address, file: resolve(text.slice(at + 1)) }];
}
