import * as activities from './activities.ts';
import * as albums from './albums.ts';
import * as appData from './app-data.ts';
import type { Handlers } from './handler.ts';
import * as people from './people.ts';

export const handlers: Handlers = {
  'people.getFriends': people.getFriends,
  'people.getPerson': people.getPerson,
  'people.getSelf': people.getSelf,
  'people.getMe': people.getSelf,
  'activities.getSelf': activities.getSelf,
  'activities.getSelfByApp': activities.getSelf,
  'activities.getFriends': activities.getFriends,
  'activities.getFriendsByApp': activities.getFriends,
  'activities.create': activities.create,
  'appData.getSelf': appData.getSelf,
  'appData.update': appData.update,
  'appData.delete': appData.remove,
  'appData.getFriends': appData.getFriends,
  'albums.get': albums.getAlbums,
  'mediaItems.get': albums.getMediaItems,
};
