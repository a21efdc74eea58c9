import { expect, test } from "vitest";
import { ranImage } from "../../../../functions/domain/workload/record/ran-image.ts";
import { image, target, updateTarget } from "../../../support/workloads.ts";

const chosen = { ...updateTarget, digest: "sha256:index", manifests: ["sha256:amd64", "sha256:arm64"] };
const runs = (digest: string, parts = {}) => ({ container: "app", image: target, digest, ...parts });
const note = "its pods run sha256:b, sha256:c, and sha256:index was chosen: its tag has moved";

test.for([
  { what: "the index", running: [runs("sha256:index")], ran: { digest: "sha256:index", note: null } },
  {
    what: "its manifests",
    running: [runs("sha256:arm64"), runs("sha256:amd64")],
    ran: { digest: "sha256:index", note: null },
  },
  {
    what: "others",
    running: [runs("sha256:c"), runs("sha256:index"), runs("sha256:b"), runs("sha256:c")],
    ran: { note },
  },
  { what: "nothing", running: [], ran: { note: null } },
  { what: "others that are not ready", running: [runs("sha256:b", { isUnready: true })], ran: { note: null } },
  { what: "a configuration", running: [runs("sha256:b", { isConfig: true })], ran: { note: null } },
  { what: "another image", running: [runs("sha256:b", { image })], ran: { note: null } },
  {
    what: "a container that its spec has not",
    running: [{ container: "app", digest: "sha256:b" }],
    ran: { note: null },
  },
])("pods that run $what", ({ running, ran }) => {
  expect(ranImage(chosen, running)).toEqual(ran);
});

test("a target without an index is compared with its digest, and one without a digest with nothing", () => {
  const single = { ...updateTarget, digest: "sha256:index" };
  expect(ranImage(single, [runs("sha256:amd64")]).note).toContain("sha256:amd64");
  expect(ranImage(updateTarget, [runs("sha256:b")])).toEqual({ note: null });
  expect(ranImage({ kind: "restart", image: target, request: "r" }, [runs("sha256:b")])).toEqual({ note: null });
});
