/** The SDK as a classic script: the globals `osapi` and `gadgets`. */
import { documentSdk } from './sdk.ts';

Object.assign(globalThis, documentSdk());
