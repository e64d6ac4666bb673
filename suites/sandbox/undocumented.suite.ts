/** sandbox.undocumented.*: undocumented behavior of sandboxes. */
import { observes } from '../engine/conforms.ts';
import { observeIdleWatch } from './idle-watch.ts';
import { observeTree, observeUnwritten } from './observe-tree.ts';
import { observeWatch } from './observe-watch.ts';

observes('sandbox.undocumented.answers', async (run) => {
  await observeUnwritten(run);
  if (run.target.allow === 'read') return;
  const inTurn = async () => {
    await observeTree(run);
    await observeWatch(run);
  };
  // At the same time, because nothing must change in its directory for long.
  await Promise.all([observeIdleWatch(run), inTurn()]);
});
