import { badParam, isGiven, isRecord, text } from '../read-params.ts';
import { groupId, namedApp, oneUserId, paging, userIds } from './call-params.ts';
import { type RequestMakers, type Rows, streams } from './operation.ts';

const activities = { method: 'GET', osapi: 'activities.get', topic: 'activities', permission: 'activities' } as const;
const works = { ...activities, status: 'works', cache: streams } as const;
const unimplemented = { ...activities, status: 'unimplemented' } as const;

export const activityRows = {
  'activities.getSelf': { ...works, path: '/activities/{guid}/@self' },
  'activities.getSelfByApp': { ...works, path: '/activities/{guid}/@self/{appid}' },
  'activities.getFriends': { ...works, path: '/activities/{guid}/@friends' },
  'activities.getFriendsByApp': { ...works, path: '/activities/{guid}/@friends/{appid}' },
  'activities.getGroup': { ...unimplemented, path: '/activities/{guid}/{groupid}' },
  'activities.getGroupByApp': { ...unimplemented, path: '/activities/{guid}/{groupid}/{appid}' },
  'activities.getOne': { ...unimplemented, path: '/activities/{guid}/@self/{appid}/{activityid}' },
  'activities.getSupportedFields': {
    ...unimplemented,
    path: '/activities/@supportedFields',
    osapi: 'activities.getSupportedFields',
  },
  'activities.create': {
    method: 'POST',
    path: '/activities/@me/@self',
    also: ['/activities/{guid}/@self', '/activities/{guid}/@self/{appid}'],
    status: 'works',
    osapi: 'activities.create',
    topic: 'activities',
    permission: 'activities.post',
    stales: ['activities'],
    isIdempotent: false,
    hasInterval: true,
  },
} as const satisfies Rows;

export const activityCalls = {
  'activities.get': (params, asker) => {
    const segments = ['activities', userIds(params, asker), groupId(params), ...namedApp(params, asker)];
    return { method: 'GET', segments, query: paging(params) };
  },
  'activities.create': (params, asker) => {
    const { activity } = params;
    if (!isRecord(activity)) throw badParam('activity', 'an object with a title');
    const body: Record<string, string> = { title: text(activity.title, 'activity.title') };
    if (isGiven(activity.url)) body.url = text(activity.url, 'activity.url');
    const segments = ['activities', oneUserId(params, asker), groupId(params), ...namedApp(params, asker)];
    return { method: 'POST', segments, body };
  },
} satisfies RequestMakers;
