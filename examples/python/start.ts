import { preparation, starter } from '../beside-gantry.ts';

export const site = { packages: ['python3-flask', 'caddy', 'openssl'], configuration: 'Caddyfile' };

export const prepare = preparation(site);
export const start = starter(site);
