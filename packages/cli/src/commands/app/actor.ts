import { userInfo } from 'node:os';

/** Names the user of this machine, as the maker of a change for the audit. */
export function localActor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return `cli:${process.getuid?.() ?? 'unknown'}`; // a container's user may have no name
  }
}
