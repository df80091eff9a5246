import { describeBesideGantry } from '../beside-gantry-scenario.ts';
import { nginxMistakes } from '../proxy-mistakes.ts';
import { site, start } from './start.ts';

const reload = `nginx -p . -c nginx.conf -g "$([ "$(id -u)" -ne 0 ] || echo 'user root;')" -s reload`;

describeBesideGantry({ ...site, name: 'php', start, mistakes: nginxMistakes, reload });
