/** PUT /_mock/snapshot: replaces the world with that of a snapshot, also of another mock. */
import type { ValidateFunction } from 'ajv';
import { newAjv } from '../../../spec/ajv.ts';
import { findingsOf } from '../../../spec/findings.ts';
import { invalidBody, invalidField } from '../../http/problems.ts';
import { replaceWorld } from '../../pipeline/served-world.ts';
import { snapshotSchema } from '../../world/snapshot-schema.ts';
import { restoreWorld, type Snapshot } from '../../world/snapshot.ts';
import type { ControlCall } from './control-call.ts';
import { clockReply } from './get-clock.ts';

let validator: ValidateFunction<Snapshot> | undefined;

export const putSnapshot: ControlCall<Snapshot> = {
  // All files of all sandboxes; a spec is nested more deeply here than in its own body.
  body: { parse: parseSnapshot, jsonSchema: () => snapshotSchema, limitBytes: 256 * 1024 * 1024, limitDepth: 80 },
  handle: async ({ served, body }) => {
    await replaceWorld(served, restoreWorld(body, served.config));
    return clockReply(served.world.clock);
  },
};

function parseSnapshot(value: unknown): Snapshot {
  const validate = (validator ??= newAjv({ allErrors: false, strictRequired: false }).compile<Snapshot>(
    snapshotSchema,
  ));
  if (validate(value)) return value;
  const [error] = validate.errors ?? [];
  if (error?.keyword !== 'additionalProperties') throw invalidBody(findingsOf(validate.errors ?? []));
  const allowed = Object.keys((error.parentSchema?.['properties'] ?? {}) as object);
  const key: unknown = error.params['additionalProperty'];
  throw invalidField(`a key of ${error.instancePath || 'the body'}`, key, allowed.join(', '));
}
