/** DELETE /_mock/faults: removes all fault rules. */
import type { ControlCall } from './control-call.ts';
import { faultsReply } from './get-faults.ts';

export const deleteFaults: ControlCall = {
  handle: ({ served }) => {
    served.faults = [];
    return faultsReply(served.faults);
  },
};
