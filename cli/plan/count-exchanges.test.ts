import { expect, test } from 'vitest';
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Exchange } from '../../suites/target/exchange.ts';
import type { Target } from '../../suites/target/target.ts';
import { countExchanges } from './count-exchanges.ts';

const target = { addresses: { management: 'http://127.0.0.1:1/v0' } } as unknown as Target;

/** The counts of successful exchanges, of one operation each. */
function countsOf(...exchanges: readonly (readonly [OperationId, string])[]) {
  const counter = countExchanges(target, 'assay-r1-');
  for (const [id, path] of exchanges) {
    const { surface, method } = operation(id);
    const request = { method, url: `http://127.0.0.1:1${path}`, headers: {} };
    counter.record({ surface, operation: id, request, response: { status: 200 } } as unknown as Exchange);
  }
  return counter.counts();
}

test('removals of what the run did not create are counted', () => {
  const counts = countsOf(
    ['deleteVolumeTemplateVersion', '/v0/volume_templates/demo-template/versions/v1'],
    ['deleteVolumeTemplateVersion', '/v0/volume_templates/assay-r1-1/versions/v1'],
    ['deleteUnusedImages', '/v0/images'],
    ['deleteUnusedImages', '/v0/images?x=assay-r1-2'],
  );
  expect(counts).toMatchObject({ 'removes deleteVolumeTemplateVersion': 1, 'removes deleteUnusedImages': 2 });
});

test('ending an MCP session or an upload, and removing a created resource again, remove nothing else', () => {
  const counts = countsOf(
    ['deleteFunctionMcp', '/demo/functions/demo-tools/mcp'],
    ['deleteSandboxMcp', '/mcp'],
    ['abortMultipartUpload', '/filesystem-multipart/u1/abort'],
    ['deleteVpc', '/v0/vpcs/assay-r1-1'],
  );
  expect(Object.keys(counts).filter((key) => key.startsWith('removes'))).toEqual([]);
});

test('requests are counted by operation and credential, found by path if they are raw', () => {
  const counter = countExchanges(target, 'assay-r1-');
  const send = (method: string, path: string, headers = {}, credential?: string): void => {
    const request = { method, url: `http://127.0.0.1:1/v0${path}`, headers };
    counter.record({ surface: 'management', request, response: { status: 401 }, credential } as unknown as Exchange);
  };
  send('GET', '/accounts', {}, 'SVC_ADMIN_TOKEN');
  send('GET', '/accounts');
  send('GET', '/unknown', { Authorization: 'Bearer $SVC_ADMIN_TOKEN' });
  send('HEAD', '/accounts', { Authorization: 'Bearer x' });
  expect(counter.counts()).toEqual({
    'sent listAccounts SVC_ADMIN_TOKEN': 1,
    'sent listAccounts none': 1,
    'sent GET:management SVC_ADMIN_TOKEN': 1,
    'sent HEAD:management made up': 1,
  });
});
