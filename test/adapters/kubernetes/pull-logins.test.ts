import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../functions/adapters/kubernetes/api.ts";
import { pullLogins } from "../../../functions/adapters/kubernetes/pull-logins.ts";
import { workload } from "../../support/workloads.ts";
import { refusalOf } from "./refusal.ts";

const own = workload({ pull: { secrets: ["own", "shared"], serviceAccount: "default" } });
const accounts = workload({ pull: { secrets: [], serviceAccount: "default" } });

/** A cluster where the service account names `shared`, and each Secret holds its own name. */
function clusterThat(refuses: (what: string) => number | null): KubernetesApi {
  const ask = async <Answer>(what: string, answer: Answer): Promise<Answer> => {
    const code = refuses(what);
    if (code !== null) throw refusalOf(code, `read ${what}`);
    return answer;
  };
  return {
    getSecret: (_namespace: string, name: string) => ask(name, { ".dockerconfigjson": name }),
    getServiceAccountSecrets: (_namespace: string, name: string) => ask(name, ["shared"]),
  } as Partial<KubernetesApi> as KubernetesApi;
}

test.for([
  { when: "all may be read", subject: own, refused: [], logins: ["own", "shared"] },
  { when: "one Secret may not", subject: own, refused: ["own"], logins: ["shared"] },
  { when: "no Secret may", subject: own, refused: ["own", "shared"], logins: [] },
  { when: "the service account may not", subject: accounts, refused: ["default"], logins: [] },
  { when: "nothing is refused of the service account", subject: accounts, refused: [], logins: ["shared"] },
])("where $when it has the logins $logins", async ({ subject, refused, logins }) => {
  const api = clusterThat((what) => (refused.includes(what) ? 403 : null));
  expect(await pullLogins(subject, api)).toEqual(logins);
});

test.for([
  { code: 401, name: "Forbidden" },
  { code: 503, name: "Unreachable" },
])("a cluster that answers $code is no refusal: $name", async ({ code, name }) => {
  await expect(
    pullLogins(
      own,
      clusterThat(() => code),
    ),
  ).rejects.toMatchObject({ name });
  await expect(
    pullLogins(
      accounts,
      clusterThat(() => code),
    ),
  ).rejects.toMatchObject({ name });
});
