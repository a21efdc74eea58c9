import { expect, test } from "vitest";
import { describeStart } from "../../../cli/local/banner.ts";

const pawl = { url: "http://127.0.0.1:1", accessKeyId: "key", stateMachineArn: "arn:one", poolMachineArn: "arn:two" };
const clock = { waitScale: 1 / 60 };
const describeDemo = (demo: Readonly<Record<string, string>> | null) =>
  describeStart(pawl as never, {}, clock as never, { dashboard: undefined, demo });

test("the demo prints how other commands reach its cluster and registry", () => {
  const text = describeDemo({ PAWL_KUBECONFIG: "/tmp/demo/kubeconfig", PAWL_INSECURE_REGISTRIES: "127.0.0.1:5000" });
  expect(text).toContain(
    "Commands: export PAWL_KUBECONFIG=/tmp/demo/kubeconfig PAWL_INSECURE_REGISTRIES=127.0.0.1:5000; npx --no-install pawl status\n",
  );
  expect(text).toContain("one minute takes 1.0 s");
});

test("on a cluster of yours there is nothing to set", () => {
  expect(describeDemo(null)).not.toContain("Commands:");
});
