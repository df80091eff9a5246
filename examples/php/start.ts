import { preparation, starter } from '../beside-gantry.ts';

export const site = { packages: ['php-cli', 'php-sqlite3', 'nginx', 'openssl'], configuration: 'site.conf' };

export const prepare = preparation(site);
export const start = starter(site);
