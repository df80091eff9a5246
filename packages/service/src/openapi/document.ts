export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly Server[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, Schema>>;
  };
}

export interface Server {
  readonly url: string;
  readonly description?: string;
}

export type PathItem = { readonly [Verb in 'get' | 'post' | 'put' | 'delete']?: OperationObject } & {
  readonly servers?: readonly Server[];
};

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response | Reference>>;
  /** `unimplemented`: the operation is listed and always answers 501. */
  readonly 'x-gantry-status': 'works' | 'unimplemented';
  /** Name of the call in `osapi` and JSON-RPC. */
  readonly 'x-gantry-call'?: string;
  /** Permission that an app needs for this call. */
  readonly 'x-gantry-permission'?: string;
  /** Extension that the site needs; without it the operation answers 501. */
  readonly 'x-gantry-extension'?: string;
  readonly 'x-gantry-spelling-of'?: string;
}

export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
  readonly content?: Content;
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Schema {
  readonly [keyword: string]: unknown;
}
