import { badParam, isGiven, isRecord, text } from '../read-params.ts';
import { groupId, namedApp, oneUserId, paging, userIds } from './call-params.ts';
import { type RequestMakers, type Rows, streams } from './operation.ts';

const activities = { method: 'GET', osapi: 'activities.get', topic: 'activities', permission: 'activities' } as const;
const works = { ...activities, status: 'works', cache: streams, result: 'list', wide: 'of several members' } as const;
const ofMember = { ...works, validator: 'activities' } as const;
const ofFriends = { ...works, validator: 'text', isLong: true } as const;
const unimplemented = { ...activities, status: 'unimplemented' } as const;

export const activityRows = {
  'activities.getSelf': { ...ofMember, path: '/activities/{guid}/@self', summary: 'Activities of a member' },
  'activities.getSelfByApp': {
    ...ofMember,
    path: '/activities/{guid}/@self/{appid}',
    summary: 'Activities of a member through one app',
  },
  'activities.getFriends': {
    ...ofFriends,
    path: '/activities/{guid}/@friends',
    summary: 'Activities of the friends of a member',
  },
  'activities.getFriendsByApp': {
    ...ofFriends,
    path: '/activities/{guid}/@friends/{appid}',
    summary: 'Activities of the friends of a member through one app',
  },
  'activities.getGroup': { ...unimplemented, path: '/activities/{guid}/{groupid}', summary: 'Activities of a group' },
  'activities.getGroupByApp': {
    ...unimplemented,
    path: '/activities/{guid}/{groupid}/{appid}',
    summary: 'Activities of a group through one app',
  },
  'activities.getOne': {
    ...unimplemented,
    path: '/activities/{guid}/@self/{appid}/{activityid}',
    summary: 'One activity',
  },
  'activities.getSupportedFields': {
    ...unimplemented,
    path: '/activities/@supportedFields',
    osapi: 'activities.getSupportedFields',
    summary: 'Fields of activities that the site has',
  },
  'activities.create': {
    method: 'POST',
    path: '/activities/@me/@self',
    also: ['/activities/{guid}/@self', '/activities/{guid}/@self/{appid}'],
    status: 'works',
    osapi: 'activities.create',
    topic: 'activities',
    permission: 'activities.post',
    summary: 'Post an activity',
    body: 'activity',
    result: 'entry',
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
