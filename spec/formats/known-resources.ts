/** Names of resources that a deployment is known to have, in target files and in world files. */
import { z } from 'zod';
import { text } from './parts.ts';

/** `name` and `region`: the forms of a resource name and of a region. */
export const knownResources = (name: z.ZodString, region: z.ZodString) =>
  z.strictObject({
    agent: name.describe('An agent of generation mk2.').exactOptional(),
    mk3Agent: name.describe('An agent of generation mk3.').exactOptional(),
    model: name.describe('A model.').exactOptional(),
    function: name.describe('A function.').exactOptional(),
    job: name.describe('A job.').exactOptional(),
    sandbox: name.describe('A sandbox, the one of addresses.sandbox.').exactOptional(),
    volume: z
      .strictObject({ name: name.describe('Name of the volume.'), region: region.describe('Region of the volume.') })
      .describe('A volume.')
      .exactOptional(),
    connection: name.describe('An integration connection.').exactOptional(),
    integration: text.describe('An integration.').exactOptional(),
    mailIntegration: text.describe('The OAuth-based mail integration.').exactOptional(),
    policies: z
      .array(name, { error: 'an array of names' })
      .describe('Policies that an agent may have. Default: the first ones of GET /policies, if there is such a list.')
      .exactOptional(),
    previewTokens: z
      .array(
        z.strictObject({
          sandbox: name.describe('Sandbox of the preview.'),
          preview: name.describe('Preview of the token.'),
          token: name.describe('Name of the token.'),
        }),
      )
      .describe('Preview tokens that runs may delete, one per run.')
      .exactOptional(),
    templateVersions: z
      .array(
        z.strictObject({
          template: name.describe('Volume template of the version.'),
          version: name.describe('Name of the version.'),
        }),
      )
      .describe('Versions of volume templates that runs may delete, one per run.')
      .exactOptional(),
  });
