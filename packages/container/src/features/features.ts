import type { CreateFeature } from '../place.ts';
import { createSizing } from './sizing.ts';

/** All that a container does for an app beside answering its requests. */
export const features: readonly CreateFeature[] = [createSizing];
