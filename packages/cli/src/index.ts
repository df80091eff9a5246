export { type AppSource, addApp, dropApp } from './apps.ts';
export { type Configuration, configuration, readServerConfiguration, UsageError } from './configuration.ts';
export { createGantry, type Gantry, type GantryOptions, openStores, type Stores } from './create-gantry.ts';
export { defaultLimits, type Limits } from './edge/limits.ts';
export { generateWorld, testConsumer, type WorldOptions } from './generate/generate-world.ts';
export { type Probe, probeHas, probes } from './generate/probes.ts';
export { main } from './main.ts';
export { type Fetch, listen, type NodeServer } from './node-server.ts';
export { type RunningServer, runServer, type ServerOptions, startServer } from './run-server.ts';
