/** Preview tokens to use up: in previews that the run makes, else those that the target file lists. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Run } from '../engine/conforms.ts';
import { eventually } from '../target/eventually.ts';
import { isCreatedWithName } from '../kit/provision/created-with-name.ts';
import { removeByName } from '../kit/provision/removal.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';

export interface TokenPlace {
  readonly sandboxName: string;
  readonly previewName: string;
  readonly tokenName: string;
}

export type Preview = Omit<TokenPlace, 'tokenName'>;

export interface OwnPreviews {
  readonly previews: readonly Preview[];
  /** The requests that made them. */
  readonly made: readonly Exchange[];
}

/** Two previews of the named sandbox, whose names begin alike; fewer, or none, where the target does not let us make them. */
export async function ownPreviews(run: Run): Promise<OwnPreviews> {
  const sandboxName = run.target.resources.sandbox;
  const [previews, made]: [Preview[], Exchange[]] = [[], []];
  if (sandboxName === undefined) return { previews, made };
  const name = run.newName();
  for (const preview of [name, `${name}-2`].map((previewName) => ({ sandboxName, previewName }))) {
    if (run.mayCreate('createSandboxPreview') < 1) break;
    const created = await run.client.call('createSandboxPreview', creating(preview));
    if (!isCreatedWithName(created, preview.previewName)) continue;
    previews.push(preview);
    made.push(created);
  }
  return { previews, made };
}

const creating = ({ sandboxName, previewName }: Preview): CallInput => ({
  path: { sandboxName },
  body: { metadata: { name: previewName }, spec: {} },
});

export const removePreview = (run: Run, preview: Preview): Promise<Exchange | undefined> =>
  removeByName(run, 'createSandboxPreview', creating(preview));

export function makeToken(run: Run, { sandboxName, previewName, tokenName }: TokenPlace): Promise<Exchange> {
  const body = { metadata: { name: tokenName }, spec: {} };
  return run.client.call('createSandboxPreviewToken', { path: { sandboxName, previewName }, body });
}

export const deleteToken = ({ client }: Pick<Run, 'client'>, place: TokenPlace): Promise<Exchange> =>
  client.call('deleteSandboxPreviewToken', { path: { ...place } });

const MAX_SECONDS = 5;

/** Waits until a deletion has taken effect, if it ever does: to ask meanwhile, by another deletion, might be what removes it. */
export const whileItGoes = ({ patienceSeconds }: Run): Promise<void> =>
  wait(Math.min(MAX_SECONDS, patienceSeconds) * 1000);

/** A token that was just made may be there a little later. */
export const deleteNewToken = (run: Run, place: TokenPlace, client = run.client): Promise<Exchange> =>
  eventually(
    () => deleteToken({ client }, place),
    ({ response }) => response.status !== 404,
    Math.min(MAX_SECONDS, run.patienceSeconds),
  );

/** The first of the listed tokens that is there, deleted: an earlier run may have used up others. `before` sees each. */
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
