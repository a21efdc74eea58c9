import { expect, test } from "vitest";
import { type InitFlags, readAnswers } from "../../../cli/init/answers.ts";

/** Answers the questions in their order; an empty answer is the default. */
async function answer(answers: readonly string[], flags: InitFlags = {}) {
  const asked: string[] = [];
  const result = await readAnswers(flags, async (question, byDefault) => {
    asked.push(question);
    return answers[asked.length - 1] || byDefault;
  });
  return { asked, result };
}

test("asks for what the flags do not say", async () => {
  const { asked, result } = await answer(["Prod_EU.1", "eu-west-1", "", "a@pawl.test, b@pawl.test"]);
  expect(asked).toHaveLength(4);
  expect(result).toEqual({
    clusters: [
      {
        name: "prod-eu-1",
        connection: { kind: "eks", clusterName: "Prod_EU.1", region: "eu-west-1", account: null },
      },
    ],
    emails: ["a@pawl.test", "b@pawl.test"],
  });
});

test("asks for a secret if the cluster is not on EKS", async () => {
  const { result } = await answer(["", "arn:secret", "edge", ""], { context: "admin" });
  expect(result).toEqual({
    clusters: [{ name: "edge", connection: { kind: "kubeconfig", secretArn: "arn:secret", context: "admin" } }],
    emails: [],
  });
});

test("asks nothing that a flag says", async () => {
  const { asked } = await answer([], { eks: ["prod"], region: "eu-west-1", name: "prod", email: [] });
  expect(asked).toEqual([]);
});

test.for([
  { eks: "prod", name: "prod" },
  { eks: "A", name: "a" },
  { eks: "team_shop-production-europe-west", name: "team-shop-production-eur" },
  { eks: "abcdefghijklmnopqrstuvw-xyz", name: "abcdefghijklmnopqrstuvw" },
])("names the cluster $eks $name", async ({ eks, name }) => {
  const { clusters } = await readAnswers({ eks: [eks], region: "eu-west-1" }, null);
  expect(clusters.map((one) => one.name)).toEqual([name]);
});
