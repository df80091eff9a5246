#!/usr/bin/env node
import { main } from 'create-gantry';

process.exitCode = await main(process.argv.slice(2), process.env);
