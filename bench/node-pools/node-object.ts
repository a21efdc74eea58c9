import { createHash } from "node:crypto";

export const workerLabel = { "node-role.kubernetes.io/worker": "" };

/** The kubelet reports at most 50 images, largest first (`nodeStatusMaxImages`). */
const imagesPerNode = 50;

/** Returns a Node of about 18 kB, like one on EKS; the list of images is most of it. */
export function nodeObject(name: string, index: number): object {
  const zone = `eu-west-1${"abc"[index % 3]}`;
  const at = "2026-11-20T10:00:00Z";
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: labels(name, zone), annotations: annotations(index) },
    spec: { providerID: `aws:///${zone}/i-${hex(name, 17)}`, podCIDR: `10.${index >> 8}.${index & 255}.0/24` },
    status: {
      addresses: [
        { type: "InternalIP", address: `10.0.${index >> 8}.${index & 255}` },
        { type: "Hostname", address: name },
        { type: "InternalDNS", address: name },
      ],
      capacity: resources("16", "64Gi"),
      allocatable: resources("15890m", "61Gi"),
      conditions: conditions(at),
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      images: Array.from({ length: imagesPerNode }, (_, image) => containerImage(image)),
      nodeInfo: nodeInfo(name),
    },
  };
}

function labels(name: string, zone: string) {
  const instanceType = "m7i.4xlarge";
  return {
    ...workerLabel,
    "beta.kubernetes.io/arch": "amd64",
    "beta.kubernetes.io/instance-type": instanceType,
    "beta.kubernetes.io/os": "linux",
    "eks.amazonaws.com/capacityType": "ON_DEMAND",
    "eks.amazonaws.com/nodegroup": "workers-20260712093355",
    "failure-domain.beta.kubernetes.io/region": "eu-west-1",
    "failure-domain.beta.kubernetes.io/zone": zone,
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": name,
    "kubernetes.io/os": "linux",
    "node.kubernetes.io/instance-type": instanceType,
    "topology.ebs.csi.aws.com/zone": zone,
    "topology.k8s.aws/zone-id": "euw1-az2",
    "topology.kubernetes.io/region": "eu-west-1",
    "topology.kubernetes.io/zone": zone,
  };
}

/** The last one replaces `managedFields`, which the embedded cluster does not store. */
function annotations(index: number) {
  return {
    "csi.volume.kubernetes.io/nodeid": `{"ebs.csi.aws.com":"i-${hex(`ebs ${index}`, 17)}"}`,
    "node.alpha.kubernetes.io/ttl": "0",
    "volumes.kubernetes.io/controller-managed-attach-detach": "true",
    "bench/managed-fields": managedFields,
  };
}

const fields = [
  "f:metadata",
  "f:labels",
  "f:annotations",
  "f:spec",
  "f:podCIDR",
  "f:status",
  "f:allocatable",
  "f:conditions",
];
const managedFields = JSON.stringify(
  ["kubelet", "kube-controller-manager", "aws-cloud-controller-manager", "pawl"].map((manager) => ({
    manager,
    operation: "Update",
    apiVersion: "v1",
    fieldsV1: Object.fromEntries(fields.map((field) => [field, { ".": {}, [`f:${manager}.kubernetes.io/of`]: {} }])),
  })),
);

function resources(cpu: string, memory: string) {
  return { cpu, memory, "ephemeral-storage": "104845292Ki", "hugepages-1Gi": "0", "hugepages-2Mi": "0", pods: "234" };
}

function conditions(at: string) {
  const condition = (type: string, status: string, reason: string, message: string) => {
    return { type, status, reason, message, lastHeartbeatTime: at, lastTransitionTime: at };
  };
  return [
    condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
  ];
}

function containerImage(image: number) {
  const repository = `602401143452.dkr.ecr.eu-west-1.amazonaws.com/platform/service-${image}`;
  const names = [`${repository}@sha256:${hex(repository, 64)}`, `${repository}:v1.${image}.0-eksbuild.1`];
  return { names, sizeBytes: 400_000_000 - image * 7_654_321 };
}

function nodeInfo(name: string) {
  return {
    architecture: "amd64",
    bootID: hex(`boot ${name}`, 32),
    containerRuntimeVersion: "containerd://2.1.4",
    kernelVersion: "6.12.40-63.114.el10.x86_64",
    kubeProxyVersion: "v1.34.1",
    kubeletVersion: "v1.34.1",
    machineID: hex(`machine ${name}`, 32),
    operatingSystem: "linux",
    osImage: "CentOS Stream 10",
    systemUUID: hex(`system ${name}`, 32),
  };
}

function hex(input: string, digits: number): string {
  return createHash("sha256").update(input).digest("hex").slice(0, digits);
}
