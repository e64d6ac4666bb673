/** GET /_mock/docs: the API reference, a page that lists and sends the operations of the OpenAPI documents, and its files. */
import { surfaces } from '../../../spec/openapi-document.ts';
import type { ControlCall } from '../control/control-call.ts';
import { bundlePage } from './bundle-page.ts';
import { bundleFile, fileReply, requireReply, pageReply } from './page-reply.ts';
import { servedDocument } from './served-document.ts';

export const getDocs: ControlCall = {
  query: 'ignored',
  handle: () =>
    pageReply({ title: 'API reference · assay mock', scripts: ['docs/script.js'], styles: ['docs/style.css'] }),
};

export const getDocsFile: ControlCall = {
  query: 'ignored',
  handle: async ({ served, params: { file = '' } }) => {
    const surface = surfaces.find((each) => file === `${each}.json`);
    if (surface !== undefined) return fileReply('json', JSON.stringify(servedDocument(served, surface)));
    return requireReply(bundleFile(file, await bundlePage('docs')), file);
  },
};
