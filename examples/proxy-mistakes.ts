/** A mistake in the configuration of a reverse proxy, and the report of `gantry check`. */
export interface Mistake {
  readonly title: string;
  /** Changes the configuration of the guide. */
  readonly make: (configuration: string) => string;
  /** Part of the reported line. */
  readonly told: string;
}

const inServer = (line: string) => (text: string) => text.replace('  server_name', `  ${line}\n  server_name`);
const inGantry = (line: string) => (text: string) => text.replace(/(proxy_pass http:\/\/gantry;)/, `$1\n    ${line}`);

/** Common mistakes with nginx. The guide for reverse proxies lists them. */
export const nginxMistakes: readonly Mistake[] = [
  {
    title: 'a path is missing',
    make: (text) => text.replace('|account|', '|'),
    told: 'Gantry does not answer at /account: pass it on, with all paths below.',
  },
  {
    title: 'proxy_pass has a path',
    make: inServer('location ^~ /gantry/ { proxy_pass http://gantry/gantry/; }'),
    told: 'The proxy rewrites targets: ',
  },
  {
    title: 'the Host comes without its port',
    make: (text) => text.replace('$http_host', '$host'),
    told: 'is asked under another name than browsers use: pass the Host header on unchanged',
  },
  {
    title: 'Origin is not passed on',
    make: inGantry('proxy_set_header Origin "";\n    proxy_set_header Host $http_host;'),
    told: 'Calls of pages are answered 403: ',
  },
  {
    title: 'a policy of the proxy replaces that of Gantry',
    make: inGantry(
      'proxy_hide_header Content-Security-Policy;\n    add_header Content-Security-Policy "default-src \'self\'" always;',
    ),
    told: 'Content-Security-Policy',
  },
  {
    title: 'events are collected',
    // Over HTTP/1.1 nginx forwards each chunk nevertheless.
    make: inGantry('proxy_http_version 1.0;\n    proxy_ignore_headers X-Accel-Buffering;'),
    told: 'No event arrives within 5 s: ',
  },
  {
    title: 'answers may be kept',
    make: inGantry('proxy_hide_header Cache-Control;'),
    told: 'Responses are or may be cached: /account/apps has ',
  },
  {
    title: 'bodies of photos are refused',
    make: (text) => text.replace(/ *client_max_body_size.*\n/, ''),
    told: 'Photos are refused before they reach Gantry: ',
  },
];
