import type { PoolNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import { unmanagedNode, imageA } from "../../domain/node-pool/pools.ts";
import type { HostFault } from "../../support/bootc/bootc-host.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { type FakeSsmHosts, createFakeSsmHosts } from "../../support/aws/fake-ssm-hosts.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import { newPool } from "./node-pool-fixtures.ts";

export interface AgentlessFixture {
  readonly ports: FakePorts;
  readonly hosts: FakeSsmHosts;
  /** Advances every machine by one step, and sets the readiness of its Node. */
  stepHosts(): void;
}

export interface AgentlessOptions {
  readonly count?: number;
  readonly pool?: NodePool;
  readonly faults?: Readonly<Record<string, HostFault>>;
  readonly atMoment?: AtMoment;
}

/** Returns the instance id of a node: `i-00000001` for `w1`. */
export function instanceIdOf(name: string): string {
  return `i-${name.slice(1).padStart(8, "0")}`;
}

/** Creates a pool of nodes `w1`, `w2` … without daemons, each an EC2 instance that runs image A. */
export function createAgentlessFixture(options: AgentlessOptions = {}): AgentlessFixture {
  const { count = 3, pool = newPool({ agent: "RunCommand" }), faults = {}, atMoment } = options;
  const names = Array.from({ length: count }, (_, index) => `w${index + 1}`);
  const nodes: PoolNode[] = names.map((name) =>
    unmanagedNode(name, { uid: `${name}-0`, providerId: `aws:///eu-west-1a/${instanceIdOf(name)}` }),
  );
  const moments = atMoment === undefined ? {} : { atMoment };
  const hosts = createFakeSsmHosts(Object.fromEntries(names.map((name) => [instanceIdOf(name), imageA])), atMoment);
  for (const [name, fault] of Object.entries(faults)) hosts.host(instanceIdOf(name)).fault = fault;
  const ports = { ...fakePorts({ nodePools: { pools: [pool], nodes }, ...moments }), commands: hosts };

  function stepHosts(): void {
    hosts.step();
    for (const name of names) {
      const current = ports.nodePools.node(name);
      const { isUp } = hosts.host(instanceIdOf(name));
      if (current.node !== null && current.node.ready !== isUp) {
        ports.nodePools.putNode({ ...current, node: { ...current.node, ready: isUp } });
      }
    }
  }

  return { ports, hosts, stepHosts };
}
