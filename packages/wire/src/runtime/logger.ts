/** Receives log lines for a site's operators: data, then a sentence. Loggers of pino fit. */
export interface Logger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  /** Returns false for a level whose lines are dropped, so that they need not be made. */
  isLevelEnabled?(level: 'info' | 'warn' | 'error'): boolean;
}

/** Drops every line. */
export const silentLogger: Logger = { info() {}, warn() {}, error() {}, isLevelEnabled: () => false };
