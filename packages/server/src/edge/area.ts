/** Part of the server. A fixed list: metrics and logs never repeat a client's text. */
export type Area = (typeof areas)[number][1] | 'site';

/** Returns the area of a request. @param rawTarget Path and query as the client sent them. */
export function areaOf(rawTarget: string): Area {
  return areas.find(([start]) => rawTarget.startsWith(start))?.[1] ?? 'site';
}

const areas = [
  ['/social/rest', 'rest'],
  ['/social/rpc', 'rpc'],
  ['/rpc', 'rpc'],
  ['/oauth/', 'oauth'],
  ['/admin/oauth/', 'oauth'],
  ['/gantry/media/', 'media'],
  ['/gantry/calls', 'calls'],
  ['/gantry/instances', 'instances'],
  ['/gantry/events', 'events'],
  ['/gantry/apps/', 'apps'],
  ['/gantry/registry/', 'registry'],
  ['/gantry/', 'gantry'],
  ['/healthz', 'health'],
  ['/readyz', 'health'],
  ['/metrics', 'metrics'],
] as const;
