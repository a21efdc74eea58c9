import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { readPullSecrets } from "../../../../functions/adapters/kubernetes/pull-secrets.ts";
import { workload } from "../../../support/workloads.ts";
import { portErrorFor } from "../api/admission-denial.ts";

const own = workload({ pull: { secrets: ["own", "shared"], serviceAccount: "default" } });
const accounts = workload({ pull: { secrets: [], serviceAccount: "default" } });

/** A cluster where the service account names `shared`, and each Secret holds its own name. */
function apiThatDenies(denies: (name: string) => number | null): KubernetesApi {
  const ask = async <Answer>(what: string, answer: Answer): Promise<Answer> => {
    const code = denies(what);
    if (code !== null) throw portErrorFor(code, `read ${what}`);
    return answer;
  };
  return {
    getSecret: (_namespace: string, name: string) => ask(name, { ".dockerconfigjson": name }),
    getServiceAccountSecrets: (_namespace: string, name: string) => ask(name, ["shared"]),
  } as Partial<KubernetesApi> as KubernetesApi;
}

test.for([
  { when: "all Secrets can be read", subject: own, denied: [], logins: ["own", "shared"] },
  { when: "one Secret is denied", subject: own, denied: ["own"], logins: ["shared"] },
  { when: "all Secrets are denied", subject: own, denied: ["own", "shared"], logins: [] },
  { when: "the service account is denied", subject: accounts, denied: ["default"], logins: [] },
  { when: "the service account can be read", subject: accounts, denied: [], logins: ["shared"] },
])("if $when, the logins are $logins", async ({ subject, denied, logins }) => {
  const api = apiThatDenies((what) => (denied.includes(what) ? 403 : null));
  expect(await readPullSecrets(subject, api)).toEqual(logins);
});

test.for([
  { code: 401, name: "Forbidden" },
  { code: 503, name: "Unreachable" },
])("a response $code throws $name", async ({ code, name }) => {
  await expect(
    readPullSecrets(
      own,
      apiThatDenies(() => code),
    ),
  ).rejects.toMatchObject({ name });
  await expect(
    readPullSecrets(
      accounts,
      apiThatDenies(() => code),
    ),
  ).rejects.toMatchObject({ name });
});
