import { expect, test } from "vitest";
import { createAnalysisReader } from "../../../functions/adapters/kubernetes/analyses.ts";
import { createKubernetesApi } from "../../../functions/adapters/kubernetes/api.ts";
import { workload } from "../../support/workloads.ts";
import { json, startScriptedServer } from "../oci-registry/scripted-server.ts";
import { kubeConfigFor } from "../prometheus/open.ts";

const spec = { metrics: [] };
const argo = "/apis/argoproj.io/v1alpha1";
const objects: Readonly<Record<string, object>> = {
  "/api/v1/namespaces/default/configmaps/rate": { metadata: { name: "rate" }, data: { "analysis.yaml": "text" } },
  [`${argo}/namespaces/default/analysistemplates/rate`]: { metadata: { name: "rate" }, spec },
  [`${argo}/clusteranalysistemplates/rate`]: { metadata: { name: "rate" }, spec },
};

test.for([
  { name: "rate", text: "text" },
  { name: "AnalysisTemplate/rate", text: JSON.stringify({ kind: "AnalysisTemplate", spec }) },
  { name: "AnalysisTemplate/rate?a=b", text: JSON.stringify({ kind: "AnalysisTemplate", spec }) },
  { name: "ClusterAnalysisTemplate/rate", text: JSON.stringify({ kind: "ClusterAnalysisTemplate", spec }) },
  { name: "AnalysisTemplate/other", text: null },
  { name: "ClusterAnalysisTemplate/other", text: null },
])("the analysis $name is $text", async ({ name, text }) => {
  await using server = await startScriptedServer(({ path }, response) => {
    const found = objects[path];
    // As an API server answers for an object, or a CustomResourceDefinition, that does not exist.
    if (found === undefined)
      json(response, { kind: "Status", status: "Failure", reason: "NotFound", code: 404 }, {}, 404);
    else json(response, { apiVersion: "v1", kind: "Any", ...found });
  });
  const kubeConfig = kubeConfigFor(`http://${server.host}`);
  const read = createAnalysisReader(kubeConfig, createKubernetesApi(kubeConfig));
  const { ref } = workload();
  expect(await read({ ...workload(), ref: { ...ref, namespace: "default" } }, name)).toBe(text);
});

test("a template that may not be read is Forbidden, and never an analysis that is missing", async () => {
  await using server = await startScriptedServer((_, response) =>
    json(response, { kind: "Status", status: "Failure", reason: "Forbidden", code: 403, message: "no" }, {}, 403),
  );
  const kubeConfig = kubeConfigFor(`http://${server.host}`);
  const read = createAnalysisReader(kubeConfig, createKubernetesApi(kubeConfig));
  for (const kind of ["AnalysisTemplate", "ClusterAnalysisTemplate"])
    await expect(read(workload(), `${kind}/rate`)).rejects.toMatchObject({ name: "Forbidden" });
});
