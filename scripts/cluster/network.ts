import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';

/** Network namespaces on one bridge, each as a machine of its own. */
export interface Network {
  readonly machines: readonly Machine[];
  /** Address of this machine, as the others see it. */
  readonly outside: string;
  remove(): void;
}

export interface Machine {
  readonly namespace: string;
  readonly address: string;
  /** Pulls its cable: packets are lost, and nobody is informed. */
  cutOff(): void;
  reconnect(): void;
}

const ip = (line: string): void => void execFileSync('ip', line.split(' '), { stdio: ['ignore', 'ignore', 'pipe'] });

/** Creates the network, with names and a subnet of its own. Needs root. */
export function createNetwork(count: number): Network {
  const random = randomBytes(2);
  const id = random.toString('hex');
  const bridge = `gbr${id}`;
  const subnet = `10.213.${random[0]}`;
  ip(`link add ${bridge} type bridge`);
  const outside = `${subnet}.254`;
  ip(`addr add ${outside}/24 dev ${bridge}`);
  ip(`link set ${bridge} up`);
  const machines = Array.from({ length: count }, (_, index): Machine => {
    const namespace = `gantry-${id}-${index}`;
    const cable = `g${id}e${index}`;
    const address = `${subnet}.${index + 1}`;
    ip(`netns add ${namespace}`);
    ip(`link add ${cable} type veth peer name eth0 netns ${namespace}`);
    ip(`link set ${cable} master ${bridge}`);
    ip(`link set ${cable} up`);
    ip(`-n ${namespace} addr add ${address}/24 dev eth0`);
    ip(`-n ${namespace} link set eth0 up`);
    ip(`-n ${namespace} link set lo up`);
    return {
      namespace,
      address,
      cutOff: () => ip(`link set ${cable} nomaster`),
      reconnect: () => ip(`link set ${cable} master ${bridge}`),
    };
  });
  return {
    machines,
    outside,
    remove() {
      // The cables go with their namespaces, once the last process there has ended.
      for (const { namespace } of machines) ip(`netns del ${namespace}`);
      ip(`link del ${bridge}`);
    },
  };
}
