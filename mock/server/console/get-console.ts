/** GET /_mock/: the console, a page that shows and controls the world, and its files. */
import { operations } from '../../../spec/operations.ts';
import { groupByDimensions, resolutions, scopes } from '../../../spec/values.ts';
import type { ControlCall } from '../control/control-call.ts';
import type { Facts } from '../control/views.ts';
import { bundlePage } from './bundle-page.ts';
import { kindFacts } from './kind-facts.ts';
import { bundleFile, requireReply, pageReply } from './page-reply.ts';

export const getConsole: ControlCall = {
  query: 'ignored',
  handle: ({ served }) => {
    const { following } = served.config;
    const facts: Facts = {
      operations: operations.map(({ id }) => id),
      scopes,
      groupBy: groupByDimensions,
      resolutions,
      kinds: kindFacts(),
      ...(following && { profile: following }),
    };
    return pageReply({
      title: 'Console · assay mock',
      scripts: ['console/script.js'],
      styles: ['console/style.css'],
      facts,
    });
  },
};

export const getConsoleFile: ControlCall = {
  query: 'ignored',
  handle: async ({ params: { file = '' } }) => requireReply(bundleFile(file, await bundlePage('console')), file),
};

/** Relative, so that it also works below another world's address. */
export const redirectToConsole: ControlCall = {
  query: 'ignored',
  handle: () => ({ status: 308, headers: { location: '_mock/' }, body: {} }),
};
