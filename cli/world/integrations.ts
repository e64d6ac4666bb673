/** The integrations of a world file. */
import { integrations as knownIntegrations } from '../../fixtures/worlds/integrations.ts';
import type { IntegrationFile, ResourceFile } from '../../spec/formats/world-file.ts';
import { mailSecretKeys } from '../../spec/values.ts';
import { fieldsOf, isFields, type Fields } from '../../suites/json/fields.ts';
import { cleanFields } from './clean-fields.ts';
import { wordForm, type Context } from './context.ts';
import { listIn, nameOf } from '../../suites/json/named-items.ts';
import { pathSegments, type DeploymentResponse } from './response-contents.ts';

const listMembers = {
  organizations: ['avatar_url', 'displayName', 'id', 'name'],
  repositories: ['id', 'isBl', 'name', 'organization', 'url'],
} as const;

/** Those in responses, and those that connections or the target file name. */
export function integrationsOf(
  responses: readonly DeploymentResponse[],
  live: readonly ResourceFile[],
  { about, replacements, note }: Context,
): IntegrationFile[] {
  const bodies = new Map<string, Fields>();
  for (const { operation, path, json } of responses) {
    const own = operation === 'getIntegration' ? [[pathSegments(path)[1]!, json] as const] : [];
    const listed = operation === 'listIntegrations' ? (listIn(json) ?? []) : [];
    for (const [ownName, body] of [...own, ...listed.map((each) => [nameOf(each) ?? '', each] as const)])
      if (isFields(body)) bodies.set(ownName, { ...bodies.get(ownName), ...body });
  }
  const { integration, mailIntegration } = about.resources;
  const named = [integration, mailIntegration, ...live.map(({ spec }) => spec?.['integration'])];
  for (const each of named) if (typeof each === 'string' && !bodies.has(each)) bodies.set(each, {});
  return [...bodies].flatMap(([own, body]): IntegrationFile[] => {
    const ownName = replacements.kept(own, wordForm);
    if (ownName === undefined) {
      note('integrations with a name that is not plain');
      return [];
    }
    const objects = ['additionalInfos', 'endpoints', 'headers', 'params'].filter((key) => isFields(body[key]));
    const lists = Object.entries(listMembers).filter(([key]) => Array.isArray(body[key]));
    const known = knownIntegrations.find((each) => each.name === ownName);
    const isMail = ownName === mailIntegration || /mail/i.test(ownName);
    return [
      {
        name: ownName,
        secretKeys: known?.secretKeys ?? (isMail ? mailSecretKeys : []),
        ...Object.fromEntries(objects.map((key) => [key, cleanFields(body[key] as Fields, key, replacements)])),
        ...Object.fromEntries(
          lists.map(([key, members]) => [
            key,
            (body[key] as unknown[])
              .filter(isFields)
              .map((item) => picked(cleanFields(item, key, replacements), members)),
          ]),
        ),
      },
    ];
  });
}

const picked = (fields: Fields, members: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([key, value]) => members.includes(key) && ['string', 'boolean'].includes(typeof value),
    ),
  );

/** A response may show no secrets of a connection, which the mock requires. */
export function withSecrets(
  resources: readonly ResourceFile[],
  integrations: readonly IntegrationFile[],
): ResourceFile[] {
  return resources.map((resource) => {
    const needed = integrations.find((each) => each.name === resource.spec?.['integration'])?.secretKeys ?? [];
    if (resource.collection !== 'integrations/connections' || needed.length === 0) return resource;
    const secret = {
      ...Object.fromEntries(needed.map((key) => [key, 'secret-of-the-world'])),
      ...fieldsOf(resource.spec?.['secret']),
    };
    return { ...resource, spec: { ...resource.spec, secret } };
  });
}
