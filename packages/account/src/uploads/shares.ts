/** Places of a pool, of which no member and no network has all. */
export type Shares = ReturnType<typeof createShares>;

export interface Holder {
  readonly member: string;
  /** Absent for an address that many may share. */
  readonly network: string | undefined;
}

export interface SharesOptions {
  readonly places: number;
  readonly ofMember: number;
  readonly ofNetwork: number;
}

/** Makes a pool of places with a share for each member and network (security rule 35). */
export function createShares({ places, ofMember, ofNetwork }: SharesOptions) {
  let taken = 0;
  const byMember = new Map<string, number>();
  const byNetwork = new Map<string, number>();

  return {
    /** Takes a place. Returns the function that gives it back; `undefined` if there is none. */
    take({ member, network }: Holder): (() => void) | undefined {
      if (taken >= places || (byMember.get(member) ?? 0) >= ofMember) return undefined;
      if (network !== undefined && (byNetwork.get(network) ?? 0) >= ofNetwork) return undefined;
      const change = (by: 1 | -1): void => {
        taken += by;
        add(byMember, member, by);
        if (network !== undefined) add(byNetwork, network, by);
      };
      change(1);
      return () => change(-1);
    },
  };
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
