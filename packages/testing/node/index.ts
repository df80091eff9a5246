import '@gantry/store/require-node';
import { processSdk } from '@gantry/osapi/testing';

export type { GadgetManifest } from './find-app.ts';
export { type Host, type HostOptions, type MemberHost, openHost } from './open-host.ts';
export { type Hooks, useHost } from './use-host.ts';

processSdk(); // before a simulated document can define another
