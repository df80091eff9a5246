import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from './patroni.ts';

/** A way to lose the leader. */
export interface LeaderFault {
  readonly title: string;
  /** Resolves when the server may come back by itself. */
  readonly happens: (leader: Server) => Promise<void>;
}

const awayMs = 25_000;

/** Time in which Patroni notices that its PostgreSQL has ended. */
const noticedMs = 5_000;

export const killed: LeaderFault = {
  title: 'PostgreSQL killed',
  async happens(leader) {
    leader.signalPostgres('SIGKILL');
    await pause(noticedMs);
  },
};

export const killedWithPatroni: LeaderFault = {
  title: 'PostgreSQL and its Patroni killed',
  async happens(leader) {
    leader.signalPatroni('SIGKILL');
    leader.signalPostgres('SIGKILL');
    await pause(awayMs);
    leader.start();
  },
};

export const paused: LeaderFault = {
  title: 'PostgreSQL paused for 25 s',
  async happens(leader) {
    leader.signalPostgres('SIGSTOP');
    await pause(awayMs);
    leader.signalPostgres('SIGCONT');
  },
};

export const pausedWithPatroni: LeaderFault = {
  title: 'PostgreSQL and its Patroni paused for 25 s',
  async happens(leader) {
    leader.signalPatroni('SIGSTOP');
    leader.signalPostgres('SIGSTOP');
    await pause(awayMs);
    leader.signalPostgres('SIGCONT');
    leader.signalPatroni('SIGCONT');
  },
};

/** Patroni then waits for PostgreSQL, and knows itself as the leader when it goes on. */
export const pausedInTurn: LeaderFault = {
  title: 'PostgreSQL and, two seconds later, its Patroni paused for 25 s',
  async happens(leader) {
    leader.signalPostgres('SIGSTOP');
    await pause(2_000);
    leader.signalPatroni('SIGSTOP');
    await pause(awayMs);
    leader.signalPostgres('SIGCONT');
    leader.signalPatroni('SIGCONT');
  },
};

export const cutOff: LeaderFault = {
  title: 'server cut off for 25 s',
  async happens(leader) {
    leader.cutOff();
    await pause(awayMs);
    leader.reconnect();
  },
};
