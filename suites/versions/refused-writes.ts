/** Writes that are refused for their version, and then asked for again without one: the second is as if it were the first. */
import type { Mismatch, Run } from '../conforms.ts';
import { statusClass } from '../expect/status.ts';
import type { CallInput, Exchange } from '../target/client.ts';
import { withVersion } from './ask.ts';
import type { ManagementRequest } from './requests.ts';

/**
 * A create that is refused for its version, then the same name again: accepted, and described as the second one was.
 * Nothing where it was not refused, or where this target does not accept such a create at all.
 */
export async function refusedThenFresh(run: Run, create: ManagementRequest, version: string): Promise<Mismatch[][]> {
  const input = create.input();
  const refused = await withVersion(run, { id: create.id, input: () => described(input, 'Refused') }, version);
  if (!isRefused(refused)) return [];
  const accepted = await run.client.call(create.id, described(input, 'Accepted'));
  if (accepted.answer.status < 300) return [statusClass(accepted, '2xx'), shows(accepted, 'Accepted')];
  const control = await run.client.call(create.id, create.input());
  return control.answer.status < 300 ? [statusClass(accepted, '2xx')] : [];
}

function described(input: CallInput, displayName: string): CallInput {
  const body = input.body as { metadata: object };
  return { ...input, body: { ...body, metadata: { ...body.metadata, displayName } } };
}

/** Where the answer shows a displayName: a server that answers a second create with the first one shows the refused one's. */
function shows(exchange: Exchange, displayName: string): Mismatch[] {
  const { metadata } = (exchange.answer.json ?? {}) as { metadata?: { displayName?: unknown } };
  const shown = metadata?.displayName;
  if (shown === undefined || shown === displayName) return [];
  return [
    {
      expected: `displayName ${JSON.stringify(displayName)}, of the create that was accepted`,
      actual: JSON.stringify(shown),
      exchange,
    },
  ];
}

/**
 * A preview token whose deletion is refused for its version, then deleted: what was gone would not be found. Nothing where
 * this target cannot be made to have such a token, or did not refuse.
 */
export async function refusedThenDeleted(run: Run, version: string): Promise<Mismatch[][]> {
  const { sandbox } = run.target.resources;
  if (sandbox === undefined) return [];
  const preview = { sandboxName: sandbox, previewName: run.newName() };
  const made = await run.client.call('createSandboxPreview', {
    path: { sandboxName: sandbox },
    body: { metadata: { name: preview.previewName }, spec: {} },
  });
  if (!isAccepted(made)) return [];
  const [token, control] = [await newToken(run, preview), await newToken(run, preview)];
  if (token === undefined || control === undefined) return [];
  if (!isAccepted(await run.client.call('deleteSandboxPreviewToken', { path: control }))) return [];
  const refused = await withVersion(run, { id: 'deleteSandboxPreviewToken', input: () => ({ path: token }) }, version);
  if (!isRefused(refused)) return [];
  return [statusClass(await run.client.call('deleteSandboxPreviewToken', { path: token }), '2xx')];
}

async function newToken(run: Run, preview: Record<string, string>): Promise<Record<string, string> | undefined> {
  const tokenName = run.newName();
  const made = await run.client.call('createSandboxPreviewToken', {
    path: preview,
    body: { metadata: { name: tokenName }, spec: {} },
  });
  return isAccepted(made) ? { ...preview, tokenName } : undefined;
}

function isAccepted({ answer: { status } }: Exchange): boolean {
  return status >= 200 && status < 300;
}

function isRefused({ answer: { status } }: Exchange): boolean {
  return status >= 400 && status < 500;
}
