declare module 's3rver' {
  /** The parts of `s3rver` that tests use: it brings no types. */
  class S3rver {
    constructor(options: Readonly<Record<string, unknown>>);
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
  export = S3rver;
}
