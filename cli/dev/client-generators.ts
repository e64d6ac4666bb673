/** Generators of TypeScript clients, and how each is called. Each writes generated/{surface}.ts or generated/{surface}/. */
export const packages = {
  '@hey-api/openapi-ts': '0.99.0',
  '@kubb/cli': '4.39.3',
  '@kubb/core': '4.39.3',
  '@kubb/plugin-client': '4.39.3',
  '@kubb/plugin-oas': '4.39.3',
  '@kubb/plugin-ts': '4.39.3',
  '@oazapfts/runtime': '1.2.0',
  '@reduxjs/toolkit': '2.9.0',
  '@rtk-query/codegen-openapi': '2.2.0',
  '@types/node': '24.19.2',
  '@zodios/core': '10.9.6',
  axios: '1.13.2',
  oazapfts: '7.5.0',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  'openapi-typescript-codegen': '0.31.0',
  'openapi-zod-client': '1.18.3',
  orval: '8.38.0',
  'swagger-typescript-api': '13.13.0',
  'typed-openapi': '2.2.7',
  typescript: '6.0.3',
  zod: '3.25.76',
};

export interface Generator {
  /** The name of the program and its arguments. */
  readonly command: (document: string, surface: string) => readonly [program: string, ...words: string[]];
  /** Files that the program reads, such as its configuration. */
  readonly files?: (document: string, surface: string) => Readonly<Record<string, string>>;
}

/** A function of fixtures/clients/orval-fetch.ts, for the documents that the client uses. */
const mutatorOf = (surface: string): object | undefined =>
  ['management', 'host', 'sandbox'].includes(surface)
    ? { path: './orval-fetch.ts', name: `sendTo${surface[0]?.toUpperCase()}${surface.slice(1)}` }
    : undefined;

export const generators: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    command: (document, surface) => ['openapi-typescript', document, '-o', `generated/${surface}.ts`],
  },
  'hey-api': {
    command: (document, surface) => [
      'openapi-ts',
      '--no-log-file',
      `--input=${document}`,
      `--output=generated/${surface}`,
      '--client=@hey-api/client-fetch',
    ],
  },
  orval: {
    command: (_, surface) => ['orval', '--config', `./${surface}.config.mjs`],
    files: (document, surface) => {
      const output = {
        target: `./generated/${surface}.ts`,
        client: 'fetch',
        override: { mutator: mutatorOf(surface) },
      };
      return { [`${surface}.config.mjs`]: `export default ${JSON.stringify({ api: { input: document, output } })};` };
    },
  },
  kubb: {
    command: (_, surface) => ['kubb', 'generate', '--config', `${surface}.config.mjs`],
    files: (document, surface) => ({
      [`${surface}.config.mjs`]: `
        import { pluginClient } from '@kubb/plugin-client';
        import { pluginOas } from '@kubb/plugin-oas';
        import { pluginTs } from '@kubb/plugin-ts';
        export default {
          root: '.',
          input: { path: ${JSON.stringify(document)} },
          output: { path: './generated/${surface}' },
          plugins: [
            pluginOas({ generators: [] }),
            pluginTs(),
            pluginClient({ client: 'fetch', dataReturnType: 'full', bundle: true }),
          ],
        };`,
    }),
  },
  'swagger-typescript-api': {
    command: (document, surface) => [
      'swagger-typescript-api',
      'generate',
      `--path=${document}`,
      '--output=generated',
      `--name=${surface}.ts`,
    ],
  },
  'openapi-typescript-codegen': {
    command: (document, surface) => [
      'openapi',
      '-i',
      document,
      '-o',
      `generated/${surface}`,
      '-c',
      'fetch',
      '--useUnionTypes',
    ],
  },
  oazapfts: { command: (document, surface) => ['oazapfts', document, `generated/${surface}.ts`] },
  'rtk-query': {
    command: (_, surface) => ['rtk-query-codegen-openapi', `${surface}.config.json`],
    files: (document, surface) => ({
      'empty-api.ts': `
        import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';
        export const emptyApi = createApi({ baseQuery: fetchBaseQuery(), endpoints: () => ({}) });`,
      [`${surface}.config.json`]: JSON.stringify({
        schemaFile: document,
        apiFile: './empty-api.ts',
        apiImport: 'emptyApi',
        outputFile: `./generated/${surface}.ts`,
      }),
    }),
  },
  'openapi-zod-client': {
    command: (document, surface) => ['openapi-zod-client', document, '-o', `generated/${surface}.ts`],
  },
  'typed-openapi': { command: (document, surface) => ['typed-openapi', document, '-o', `generated/${surface}.ts`] },
};
