import { activityHandlers } from './activities.ts';
import { albumHandlers } from './albums.ts';
import { appDataHandlers } from './app-data.ts';
import type { Handlers } from './handler.ts';
import { peopleHandlers } from './people.ts';

export const handlers: Handlers = { ...peopleHandlers, ...activityHandlers, ...appDataHandlers, ...albumHandlers };
