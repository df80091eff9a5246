import { createAddress } from './address.ts';
import { openDevEvents } from './dev-events.ts';
import { GantryDevHost } from './dev-host.ts';
import { createLabClient } from './lab-client.ts';

const host = new GantryDevHost();
host.address = createAddress(window);
host.client = createLabClient();
host.events = openDevEvents('/dev/events?since=0');
document.getElementById('root')?.append(host);
