import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const serviceAddresses = "10.0.0.0/24";

/** Without `nodelifecycle`, which would evict pods from Nodes without a lease, and controllers that need a cloud. */
const controllers = [
  "namespace",
  "serviceaccount",
  "serviceaccount-token",
  "root-ca-cert-publisher",
  "clusterrole-aggregation", // without it the roles view, edit and admin are empty
  "garbagecollector",
  "deployment",
  "replicaset",
  "statefulset",
  "daemonset",
  "job",
  "cronjob",
  "disruption",
  "horizontalpodautoscaling",
  "endpoint",
  "endpointslice",
  "resourcequota",
  "pvc-protection",
  "pv-protection",
  "podgc",
];

/** Checks the types in admission policies. */
const policyControllers = ["validatingadmissionpolicy-status-controller"];

interface Endpoints {
  readonly etcd: string;
  readonly apiPort: number;
}

export function etcdArguments(data: string, { etcd }: Endpoints): readonly string[] {
  return [
    `--data-dir=${data}`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    "--listen-peer-urls=http://127.0.0.1:0",
    "--quota-backend-bytes=4294967296",
    "--snapshot-count=100000",
    "--log-level=error",
  ];
}

/** On by default in no version yet. */
function featureGates(minorVersion: number): readonly string[] {
  return minorVersion < 35 ? [] : ["--feature-gates=MaxUnavailableStatefulSet=true"];
}

/** Returns the server's arguments. It generates its certificate in `folder`: apiserver.crt contains the CA too. */
export function apiServerArguments(
  folder: string,
  { etcd, apiPort }: Endpoints,
  minorVersion: number,
): readonly string[] {
  return [
    ...featureGates(minorVersion),
    `--etcd-servers=${etcd}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    `--secure-port=${apiPort}`,
    `--cert-dir=${folder}`,
    `--token-auth-file=${join(folder, "tokens.csv")}`,
    "--endpoint-reconciler-type=none",
    `--service-cluster-ip-range=${serviceAddresses}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${join(folder, "service-accounts.pub")}`,
    `--service-account-signing-key-file=${join(folder, "service-accounts.key")}`,
    "--api-audiences=https://kubernetes.default.svc",
    "--authorization-mode=Node,RBAC",
    "--allow-privileged=true",
    "--profiling=false",
    "--max-requests-inflight=2000",
    "--max-mutating-requests-inflight=1000",
  ];
}

export function controllerManagerArguments(folder: string, minorVersion: number): readonly string[] {
  return [
    `--kubeconfig=${join(folder, "kubeconfig")}`,
    "--leader-elect=false",
    "--secure-port=0",
    ...(minorVersion < 24 ? ["--port=0"] : []), // the insecure port, removed in 1.24
    ...featureGates(minorVersion),
    `--controllers=${[...controllers, ...(minorVersion < 30 ? [] : policyControllers)].join(",")}`,
    "--horizontal-pod-autoscaler-sync-period=1s",
    `--service-account-private-key-file=${join(folder, "service-accounts.key")}`,
    `--root-ca-file=${join(folder, "apiserver.crt")}`,
    "--kube-api-qps=500",
    "--kube-api-burst=1000",
    "--profiling=false",
  ];
}

/** Returns the y of Kubernetes 1.y.z. */
export async function minorVersionOf(apiServer: string): Promise<number> {
  const { stdout } = await promisify(execFile)(apiServer, ["--version"]);
  const minor = /v1\.(\d+)\./.exec(stdout)?.[1];
  if (minor === undefined) throw new Error(`${apiServer} --version: unexpected output: ${stdout.trim()}`);
  return Number(minor);
}
