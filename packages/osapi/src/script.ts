/** The SDK as a classic script: the globals `osapi`, `gadgets` and `gantry`. */
import { documentSdk } from './sdk.ts';

Object.assign(globalThis, documentSdk());
