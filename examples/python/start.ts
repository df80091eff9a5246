import { preparation, starter } from '../beside-gantry.ts';

const site = { packages: ['python3-flask', 'caddy', 'openssl'], configuration: 'Caddyfile' };

export const prepare = preparation(site);
export const start = starter(site);
