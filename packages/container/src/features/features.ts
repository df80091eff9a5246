import type { CreateFeature } from '../place.ts';
import { createContext } from './context.ts';
import { createLater } from './later.ts';
import { createRollbacks } from './rollbacks.ts';
import { createWriteReports } from './writes.ts';

/** All that a container does for an app beside answering its requests. */
export const features: readonly CreateFeature[] = [createContext, createRollbacks, createWriteReports, createLater];
