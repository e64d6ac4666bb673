/** Preview tokens to delete: in previews that the run creates, or else those of the target file. */
import type { Run } from '../engine/conforms.ts';
import { fieldsOf } from '../json/fields.ts';
import { metadataIn } from '../json/metadata-in.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { isCreatedWithName } from '../kit/provision/created-with-name.ts';
import { removeByRequestedName } from '../kit/provision/removal.ts';
import type { Exchange } from '../target/client.ts';
import { isConflict } from '../target/retry-delay.ts';
import type { CallInput } from '../target/request-types.ts';

export interface TokenPlace {
  readonly sandboxName: string;
  readonly previewName: string;
  readonly tokenName: string;
}

export type Preview = Omit<TokenPlace, 'tokenName'>;

export interface OwnPreviews {
  readonly previews: readonly Preview[];
  /** The requests that created them. */
  readonly creations: readonly Exchange[];
}

/** Two previews of the target file's sandbox with a common prefix. Fewer if the target does not accept them. */
export async function ownPreviews(run: Run): Promise<OwnPreviews> {
  const sandboxName = run.target.resources.sandbox;
  const [previews, creations]: [Preview[], Exchange[]] = [[], []];
  if (sandboxName === undefined) return { previews, creations };
  const name = run.newName();
  for (const preview of [name, `${name}-2`].map((previewName) => ({ sandboxName, previewName }))) {
    if (run.mayCreate('createSandboxPreview') < 1) break;
    const created = await run.client.call('createSandboxPreview', creating(preview));
    if (!isCreatedWithName(created, preview.previewName)) continue;
    previews.push(preview);
    creations.push(created);
  }
  return { previews, creations };
}

const creating = ({ sandboxName, previewName }: Preview): CallInput => ({
  path: { sandboxName },
  body: { metadata: { name: previewName }, spec: {} },
});

export const removePreview = (run: Run, preview: Preview): Promise<Exchange | undefined> =>
  removeByRequestedName(run, 'createSandboxPreview', creating(preview));

export interface MadeToken {
  readonly exchange: Exchange;
  /** Under the name that the server has given it. Undefined if there is none. */
  readonly place?: TokenPlace;
}

/** A preview may take a while until it has tokens. */
export async function makeToken(run: Run, { sandboxName, previewName, tokenName }: TokenPlace): Promise<MadeToken> {
  const body = { metadata: { name: tokenName }, spec: {} };
  const send = () => run.client.call('createSandboxPreviewToken', { path: { sandboxName, previewName }, body });
  const exchange = await eventually(send, ({ response }) => !isConflict(response), run.patienceSeconds);
  const name = isCreatedWithName(exchange, tokenName) ? tokenName : returnedName(exchange);
  return { exchange, ...(name !== undefined && { place: { sandboxName, previewName, tokenName: name } }) };
}

function returnedName(exchange: Exchange): string | undefined {
  const { json } = exchange.response;
  const name = metadataIn(json)['name'] ?? fieldsOf(json)?.['name'];
  return isSuccessful(exchange) && typeof name === 'string' && name !== '' ? name : undefined;
}

export const deleteToken = ({ client }: Pick<Run, 'client'>, place: TokenPlace): Promise<Exchange> =>
  client.call('deleteSandboxPreviewToken', { path: { ...place } });

const MAX_SECONDS = 5;

/**
 * How long deletions may take until they have an effect, the short time first. Deleting again does not show when, because that
 * might remove the token itself, or begin anew.
 */
export const delaysOf = ({ patienceSeconds }: Run): number[] =>
  patienceSeconds <= MAX_SECONDS ? [patienceSeconds] : [MAX_SECONDS, patienceSeconds];

/** A new token may take a moment to exist, and its preview a while until it is deployed. */
export async function deleteNewToken(run: Run, place: TokenPlace, client = run.client): Promise<Exchange> {
  const remove = (): Promise<Exchange> => deleteToken({ client }, place);
  const seconds = Math.min(MAX_SECONDS, run.patienceSeconds);
  const exchange = await eventually(remove, ({ response }) => response.status !== 404, seconds);
  if (!isConflict(exchange.response)) return exchange;
  return eventually(remove, ({ response }) => !isConflict(response), run.patienceSeconds);
}

/**
 * Deletes the first of the target file's tokens that still exists; earlier runs may have deleted others. Calls `before`
 * for each.
 */
export async function deleteListedToken(
  run: Run,
  before: (place: TokenPlace) => Promise<void> = async () => {},
): Promise<{ place: TokenPlace; exchange: Exchange } | undefined> {
  const listed = run.target.allow === 'destroy' ? (run.target.resources.previewTokens ?? []) : [];
  for (const { sandbox, preview, token } of listed) {
    const place = { sandboxName: sandbox, previewName: preview, tokenName: token };
    const isReturned = (await run.client.call('getSandboxPreviewToken', { path: place })).response.status === 200;
    await before(place);
    const exchange = await deleteToken(run, place);
    if (isReturned || ![404, 410].includes(exchange.response.status)) return { place, exchange };
  }
  return undefined;
}
