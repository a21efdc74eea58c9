import { describe, expect, test } from "vitest";
import { policiesOf } from "../../policies.ts";
import { synthesise } from "../../synthesized-stack.ts";

const eks = { clusterName: "prod", region: "eu-central-1" };
const clusters = [{ name: "prod", eks }];
const accounts = (count: number) => Array.from({ length: count }, (_, index) => String(100_000_000_000 + index));
const prefixes = (count: number) => Array.from({ length: count }, (_, index) => `team-${index}/`);

describe("the policy of a role", () => {
  test("that is longer than IAM allows is refused, with the settings to change", () => {
    const registries = { ecrAccounts: accounts(14), ecrRepositoryPrefixes: prefixes(14) };
    expect(() => synthesise({ clusters, registries })).toThrow(
      /^the role of pawl-prod-poll: its policy has about \d+ characters, and IAM allows 10240; \d+ of them are the statement Repositories: use fewer or shorter values of registries.ecrAccounts or registries.ecrRepositoryPrefixes$/,
    );
  });

  test("of many logins names these", () => {
    const secretArn = (index: number) =>
      `arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/${"team".repeat(15)}-${index}-a1B2c3`;
    const logins = Array.from({ length: 90 }, (_, index) => ({
      secretArn: secretArn(index),
      namespaces: [`n${index}`],
    }));
    expect(() => synthesise({ clusters, registries: { logins } })).toThrow(/RegistryLogins.* registries\.logins$/);
  });

  test("of a hundred patterns of repositories fits", () => {
    const registries = { ecrAccounts: accounts(10), ecrRepositoryPrefixes: prefixes(10) };
    const { at } = synthesise({ clusters, registries });
    const repositories = policiesOf(at("prod/Functions/poll/Role")).find(({ Sid }) => Sid === "Repositories");
    expect(repositories?.Resource).toHaveLength(100);
  });
});
