/** Turns an error of a world file into the response 400. */
import { Problem } from '../../http/problems.ts';
import { WorldFileError } from '../../state/world-file-error.ts';

export async function rejectInvalidWorld<Made>(make: () => Made | Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    throw error instanceof WorldFileError ? new Problem(400, 'invalid_request', error.message) : error;
  }
}
