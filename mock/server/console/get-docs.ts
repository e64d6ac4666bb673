/** GET /_mock/docs: the OpenAPI documents in Swagger UI, with this mock as their server. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { surfaces } from '../../../spec/documents.ts';
import type { ControlCall } from '../control/control-call.ts';
import type { Reply } from '../../http/reply.ts';
import { bundlePage } from './bundle-page.ts';
import { bundleFile, fileReply, found, pageReply } from './page-reply.ts';
import { servedDocument } from './served-document.ts';

export const getDocs: ControlCall = {
  query: 'ignored',
  handle: () =>
    pageReply({
      title: 'API reference · assay mock',
      scripts: ['docs/swagger-ui-bundle.js', 'docs/script.js'],
      styles: ['docs/swagger-ui.css', 'docs/style.css'],
      inlineStyles: true,
    }),
};

export const getDocsFile: ControlCall = {
  query: 'ignored',
  handle: async ({ served, params: { file = '' } }) => {
    const surface = surfaces.find((each) => file === `${each}.json`);
    if (surface !== undefined) return fileReply('json', JSON.stringify(servedDocument(served, surface)));
    return found(viewerFile(file) ?? bundleFile(file, await bundlePage('docs')), file);
  },
};

/** The files of Swagger UI. */
const viewerTypes = { 'swagger-ui-bundle.js': 'js', 'swagger-ui.css': 'css' } as const;

function viewerFile(file: string): Reply | undefined {
  if (!Object.hasOwn(viewerTypes, file)) return undefined;
  const type = viewerTypes[file as keyof typeof viewerTypes];
  return fileReply(type, readFileSync(path.join(viewerFolder(), file)));
}

/** The package contains only these two files: a dependency of swagger-ui-dist sends telemetry. */
function viewerFolder(): string {
  const packed = path.join(import.meta.dirname, 'swagger-ui');
  if (existsSync(packed)) return packed;
  return path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui.css'));
}
