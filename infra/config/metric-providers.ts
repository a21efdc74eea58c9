import * as v from "valibot";
import { isSameScope, type QueryProvider } from "../../functions/domain/analysis/providers/provider.ts";
import {
  type AddressSettingName,
  queryKinds,
  queryProviders,
} from "../../functions/domain/analysis/providers/providers.ts";
import { closedObject, crossCheck, refine, textOr, unique } from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";

/** An address that an analysis may query, and the secret with its login. */
export interface AllowedAddress {
  readonly address: string;
  readonly secretArn: string | null;
}

/** The settings of a cluster that list the addresses of metric providers: texts, or objects with a login. */
export const metricProviderFields = Object.fromEntries(
  Object.values(queryProviders).map((provider) => [provider.setting.name, settingOf(provider)]),
) as Readonly<Record<AddressSettingName, ReturnType<typeof settingOf>>>;

/** Returns the addresses of all providers that have a login. */
export function addressesWithLogins(cluster: Readonly<Record<AddressSettingName, readonly AllowedAddress[]>>) {
  return queryKinds.flatMap((provider) =>
    cluster[queryProviders[provider].setting.name].flatMap(({ address, secretArn }) =>
      secretArn === null ? [] : [{ provider, address, secretArn }],
    ),
  );
}

function settingOf({ setting, parse }: QueryProvider) {
  const address = v.pipe(
    v.string(),
    refine(
      (written) => {
        const endpoint = parse(written);
        if (endpoint.kind === "invalid") return endpoint.reason;
        // In the environment of a function, commas separate addresses.
        return /[\s,]/.test(written) ? `${JSON.stringify(written)} must not contain blanks or commas` : null;
      },
      { pattern: setting.pattern.source },
    ),
  );
  const withLogin = v.pipe(
    closedObject({
      address,
      secretArn: v.pipe(
        v.nullish(grammar.secretArn, null),
        v.description(
          'A secret with a bearer token, {"username": "…", "password": "…"} or {"headers": {"NAME": "…"}}, for this address only.',
        ),
      ),
    }),
    crossCheck(["address", "secretArn"], (one) => {
      const endpoint = parse(one.address);
      const reason = one.secretArn === null || endpoint.kind === "invalid" ? null : endpoint.loginProblem;
      return reason === null ? [] : [{ path: ["secretArn"], reason }];
    }),
  );
  const hasSecondLogin = (one: AllowedAddress, other: AllowedAddress) =>
    one.secretArn !== other.secretArn && isSameScope(parse(one.address), parse(other.address));
  const list = v.pipe(
    v.array(
      v.pipe(
        textOr(address, withLogin),
        v.transform((one): AllowedAddress => (typeof one === "string" ? { address: one, secretArn: null } : one)),
      ),
    ),
    unique((one) => (one as Partial<AllowedAddress> | null)?.address),
    refine<AllowedAddress[]>((all) => {
      const second = all.find((one) => all.some((other) => hasSecondLogin(one, other)));
      return second === undefined
        ? null
        : `${second.address} has two logins; paths of one origin have the same secretArn`;
    }),
    v.description(setting.description),
  );
  return v.optional(list, []);
}
