import { badParam } from '../read-params.ts';
import { appDataValues, appId, groupId, keyList, oneUserId, paging, userIds } from './call-params.ts';
import { type RequestMaker, type RequestMakers, type Rows, streams } from './operation.ts';

const appData = { topic: 'appData', status: 'works' } as const;
const read = { ...appData, method: 'GET', osapi: 'appdata.get', permission: 'appdata', cache: streams } as const;
const write = { ...appData, permission: 'appdata.write', stales: ['appData'], isIdempotent: true } as const;

export const appDataRows = {
  'appData.getSelf': { ...read, path: '/appData/{guid}/@self/{appid}' },
  'appData.update': {
    ...write,
    method: 'POST',
    path: '/appData/{guid}/@self/{appid}',
    alsoMethods: ['PUT'],
    osapi: 'appdata.update',
  },
  'appData.delete': { ...write, method: 'DELETE', path: '/appData/{guid}/@self/{appid}', osapi: 'appdata.delete' },
  'appData.getFriends': { ...read, path: '/appData/{guid}/@friends/{appid}' },
} as const satisfies Rows;

const update: RequestMaker = (params, asker) => {
  const segments = ['appData', oneUserId(params, asker), groupId(params), appId(params, asker)];
  return { method: 'POST', segments, body: appDataValues(params.data ?? params.appdata) };
};

export const appDataCalls = {
  'appdata.get': (params, asker) => {
    const keys = keyList(params);
    const group = groupId(params);
    const segments = ['appData', userIds(params, asker), group, appId(params, asker)];
    const query = group === '@friends' ? paging(params) : []; // only friends come in pages; others share one cached result
    if (keys !== undefined && keys !== 'all' && keys.length > 0) query.push(['fields', keys.join(',')]);
    return { method: 'GET', segments, query };
  },
  'appdata.update': update,
  'appdata.create': update,
  'appdata.delete': (params, asker) => {
    const keys = keyList(params);
    if (keys === undefined || keys.length === 0) {
      throw badParam('keys', "the keys to delete, or '*' to delete all AppData of the member");
    }
    const segments = ['appData', oneUserId(params, asker), groupId(params), appId(params, asker)];
    return { method: 'DELETE', segments, query: keys === 'all' ? [] : [['fields', keys.join(',')]] };
  },
} satisfies RequestMakers;
