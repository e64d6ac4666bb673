/** GET /_mock/docs: the API reference, a page that lists and sends the operations of the OpenAPI documents, and its files. */
import { surfaces } from '../../../spec/openapi-document.ts';
import type { ControlCall } from '../control/control-call.ts';
import { requestedHost } from '../../state/requested-address.ts';
import { bundlePage } from './bundle-page.ts';
import { bundleFile, fileReply, notStored, pageReply, requireReply } from './page-reply.ts';
import { servedDocument } from './served-document.ts';

export const getDocs: ControlCall = {
  query: 'ignored',
  handle: () =>
    pageReply({ title: 'API reference · assay mock', scripts: ['docs/script.js'], styles: ['docs/style.css'] }),
};

export const getDocsFile: ControlCall = {
  query: 'ignored',
  handle: async ({ served, params: { file = '' }, headers }) => {
    const surface = surfaces.find((each) => file === `${each}.json`);
    if (surface !== undefined) {
      const address = requestedHost({ world: served.world, headers });
      return notStored(fileReply('json', JSON.stringify(servedDocument(served, surface, address))));
    }
    return requireReply(bundleFile(file, await bundlePage('docs')), file);
  },
};
