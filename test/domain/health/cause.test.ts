import { expect, test } from "vitest";
import { findCause } from "../../../functions/domain/health/cause.ts";
import type { ContainerFacts, PodFacts } from "../../../functions/domain/health/pod-facts.ts";

const unready = [
  { type: "PodScheduled", status: "True" },
  { type: "ContainersReady", status: "False", reason: "ContainersNotReady" },
  { type: "Ready", status: "False", reason: "ContainersNotReady" },
];

function pod(facts: Partial<PodFacts>): PodFacts {
  return { name: "web-1", phase: "Running", conditions: unready, containers: [], ...facts };
}

function container(facts: Partial<ContainerFacts>): ContainerFacts {
  return { name: "web", isInit: false, restarts: 0, waiting: null, terminated: null, ...facts };
}

const waits = (reason: string, message?: string) => pod({ containers: [container({ waiting: { reason, message } })] });
const ended = (exitCode: number, reason = "Error", more: Partial<ContainerFacts> = {}) =>
  pod({ containers: [container({ terminated: { exitCode, reason }, ...more })] });
const disrupted = (reason: string) =>
  pod({ conditions: [...unready, { type: "DisruptionTarget", status: "True", reason }] });

test.for([
  { of: "a container in a crash loop", given: waits("CrashLoopBackOff"), reason: "CrashLoopBackOff" },
  { of: "a command that does not exist", given: waits("RunContainerError"), reason: "RunContainerError" },
  { of: "an image name that is invalid", given: waits("InvalidImageName"), reason: "InvalidImageName" },
  { of: "a postStart hook that fails", given: waits("PostStartHookError"), reason: "PostStartHookError" },
  {
    of: "an image that runs as root and must not",
    given: waits("CreateContainerConfigError", "container has runAsNonRoot and image will run as root"),
    reason: "CreateContainerConfigError",
  },
  {
    of: "a user of the template that is root and must not be",
    given: waits(
      "CreateContainerConfigError",
      'container\'s runAsUser breaks non-root policy (pod: "web-1_shop(u-1)", container: web)',
    ),
    reason: "CreateContainerConfigError",
  },
  { of: "a kill by a liveness probe", given: ended(137), reason: "Exit" },
  {
    of: "a container that exceeds its own limit of ephemeral storage",
    given: pod({
      phase: "Failed",
      reason: "Evicted",
      message: 'Container web exceeded its local ephemeral storage limit "1Gi". ',
      conditions: [...unready, { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet" }],
    }),
    reason: "Evicted",
  },
  {
    of: "a volume that exceeds its own limit",
    given: pod({
      phase: "Failed",
      reason: "Evicted",
      message: 'Usage of EmptyDir volume "tmp" exceeds the limit "1Gi". ',
    }),
    reason: "Evicted",
  },
  { of: "an exit with an error", given: ended(1), reason: "Exit" },
  { of: "an exit with code 0 of a container that should run", given: ended(0, "Completed"), reason: "Exit" },
  { of: "an exit before the last restart", given: ended(3, "Error", { restarts: 2 }), reason: "Exit" },
  { of: "a container that needs too much memory", given: ended(137, "OOMKilled"), reason: "OOMKilled" },
  { of: "a program that cannot start", given: ended(128, "StartError"), reason: "StartError" },
  { of: "an init container that fails", given: ended(1, "Error", { isInit: true }), reason: "Exit" },
  {
    of: "a crash beside a container that cannot be pulled",
    given: pod({
      containers: [
        container({ name: "sidecar", waiting: { reason: "ImagePullBackOff" } }),
        container({ terminated: { exitCode: 1 } }),
      ],
    }),
    reason: "Exit",
  },
  { of: "a probe that fails", given: pod({ containers: [container({})] }), reason: "ContainersNotReady" },
  {
    of: "containers that are not ready, for no named reason",
    given: pod({ conditions: [{ type: "ContainersReady", status: "False" }] }),
    reason: "ContainersNotReady",
  },
  {
    of: "a readiness gate",
    given: pod({ conditions: [{ type: "Ready", status: "False", reason: "ReadinessGatesNotReady" }] }),
    reason: "ReadinessGatesNotReady",
  },
  {
    of: "an eviction for its own limit of ephemeral storage",
    given: pod({
      phase: "Failed",
      reason: "Evicted",
      message: "Pod ephemeral local storage usage exceeds the total limit of containers 1Gi.",
    }),
    reason: "Evicted",
  },
])("$of blames the version", ({ given, reason }) => {
  expect(findCause(given)).toMatchObject({ blames: "version", reason });
});

test.for([
  { of: "a pull that fails", given: waits("ErrImagePull"), reason: "ErrImagePull" },
  { of: "the back-off of a pull", given: waits("ImagePullBackOff", "429"), reason: "ImagePullBackOff" },
  {
    of: "a ConfigMap that does not exist",
    given: waits("CreateContainerConfigError", 'configmap "web" not found'),
    reason: "CreateContainerConfigError",
  },
  { of: "a container that is created", given: waits("ContainerCreating"), reason: "ContainerCreating" },
  { of: "a wait for no named reason", given: pod({ containers: [container({ waiting: {} })] }), reason: "Waiting" },
  { of: "a taint manager", given: disrupted("DeletionByTaintManager"), reason: "DeletionByTaintManager" },
  { of: "a preemption", given: disrupted("PreemptionByScheduler"), reason: "PreemptionByScheduler" },
  {
    of: "a disruption for no named reason",
    given: pod({ conditions: [{ type: "DisruptionTarget", status: "True" }] }),
    reason: "DisruptionTarget",
  },
  {
    of: "an eviction by a node under pressure",
    given: pod({ phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory." }),
    reason: "Evicted",
  },
  { of: "an eviction without a message", given: pod({ phase: "Failed", reason: "Evicted" }), reason: "Evicted" },
  { of: "a node that shuts down", given: pod({ phase: "Failed", reason: "NodeShutdown" }), reason: "NodeShutdown" },
  {
    of: "no node that takes it",
    given: pod({ conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable" }] }),
    reason: "Unschedulable",
  },
  {
    of: "no node, for no named reason",
    given: pod({ conditions: [{ type: "PodScheduled", status: "False" }] }),
    reason: "Unschedulable",
  },
  {
    of: "a node that was restarted",
    given: pod({
      conditions: [{ type: "Ready", status: "False", reason: "PodFailed" }],
      containers: [container({ terminated: { exitCode: 137, reason: "ContainerStatusUnknown" } })],
    }),
    reason: "PodFailed",
  },
  {
    of: "an init container that has succeeded",
    given: pod({
      containers: [
        container({ name: "init", isInit: true, terminated: { exitCode: 0, reason: "Completed" } }),
        container({ waiting: { reason: "ContainerCreating" } }),
      ],
    }),
    reason: "ContainerCreating",
  },
  {
    of: "a container that containerd lost in a restart of its node",
    given: pod({
      conditions: [{ type: "Ready", status: "False", reason: "PodFailed" }],
      containers: [container({ terminated: { exitCode: 255, reason: "Unknown" } })],
    }),
    reason: "PodFailed",
  },
  {
    of: "SIGTERM of a node that shuts down",
    given: pod({
      phase: "Failed",
      reason: "Terminated",
      message: "Pod was terminated in response to imminent node shutdown.",
      conditions: [...unready, { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet" }],
      containers: [container({ terminated: { exitCode: 143, reason: "Error" } })],
    }),
    reason: "TerminationByKubelet",
  },
  {
    of: "a pull that the registry limits",
    given: waits("ErrImagePull", 'failed to pull and unpack image "registry.example/web:1": 429 Too Many Requests'),
    reason: "ErrImagePull",
  },
  {
    of: "a key of a Secret that does not exist",
    given: waits("CreateContainerConfigError", "couldn't find key DB_URL in Secret shop/web"),
    reason: "CreateContainerConfigError",
  },
  { of: "an image that is never pulled", given: waits("ErrImageNeverPull"), reason: "ErrImageNeverPull" },
  {
    of: "a node that does not answer",
    given: pod({
      conditions: [
        { type: "ContainersReady", status: "True" },
        { type: "Ready", status: "False" },
      ],
      containers: [container({})],
    }),
    reason: "NodeNotReady",
  },
  { of: "nothing that is known", given: pod({ conditions: [] }), reason: "NotStarted" },
])("$of is excused", ({ given, reason }) => {
  expect(findCause(given)).toMatchObject({ blames: "excused", reason });
});

test("names the container, its exit code, its restarts and its message", () => {
  const terminated = { exitCode: 2, reason: "Error", message: "no DB_URL" };
  expect(findCause(pod({ containers: [container({ restarts: 4, terminated })] }))).toEqual({
    blames: "version",
    reason: "Exit",
    container: "web",
    exitCode: 2,
    message: "no DB_URL",
    restarts: 4,
  });
});
