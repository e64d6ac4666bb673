/** sandbox.undocumented.*: undocumented behavior of sandboxes. */
import { observes } from '../engine/conforms.ts';
import { observeTree, observeUnwritten } from './observe-tree.ts';
import { observeWatch } from './observe-watch.ts';

observes('sandbox.undocumented.answers', async (run) => {
  await observeUnwritten(run);
  if (run.target.allow === 'read') return;
  await observeTree(run);
  await observeWatch(run);
});
