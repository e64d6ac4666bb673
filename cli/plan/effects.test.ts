import { expect, test } from 'vitest';
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { LedgerLine } from '../../suites/target/ledger-lines.ts';
import type { Requests } from './count-requests.ts';
import { effects } from './effects.ts';

const prefix = 'assay-r1-';

/** Requests that were all answered with success. */
function accepted(id: OperationId, ...paths: string[]): Requests {
  const { surface, method, path } = operation(id);
  const succeeded = paths.map((each) => `http://127.0.0.1:1${each}`);
  return { operation: id, surface, method, path, credentials: new Map([['SVC_ADMIN_TOKEN', paths.length]]), succeeded };
}

const describeEffectsOf = (requests: Requests[], ledger: LedgerLine[] = []) =>
  effects({ requests, ledger, prefix }, 'destroy', 20).join('\n');

test('removed resources that the run did not create are printed', () => {
  const versions = ['/v0/volume_templates/demo-template/versions/v1', '/v0/volume_templates/assay-r1-1/versions/v1'];
  const requests = [
    accepted('deleteVolumeTemplateVersion', ...versions),
    accepted('deleteUnusedImages', '/v0/images', '/v0/images?x=assay-r1-2'),
  ];
  expect(describeEffectsOf(requests)).toBe(
    'Permanently removes resources that the run did not create: deleteVolumeTemplateVersion × 1, deleteUnusedImages × 2.',
  );
});

test('ending an MCP session or an upload, and removing a created resource again, remove nothing else', () => {
  const requests = [
    accepted('deleteFunctionMcp', '/demo/functions/demo-tools/mcp'),
    accepted('deleteSandboxMcp', '/mcp'),
    accepted('abortMultipartUpload', '/filesystem-multipart/u1/abort'),
    accepted('deleteVpc', '/v0/vpcs/assay-r1-1', '/v0/vpcs/assay-r1-1'),
  ];
  expect(describeEffectsOf(requests)).toBe('Nothing is created, changed or removed (allow: destroy).');
});

test('the budget is printed if created resources may remain', () => {
  const created = { number: 1, created: 'createVpc', name: 'assay-r1-1' } as const;
  const removal = { operation: 'deleteVpc', path: { vpcName: 'assay-r1-1' } } as const;
  expect(
    describeEffectsOf(
      [],
      [
        { ...created, removal },
        { number: 1, status: 200 },
      ],
    ),
  ).toMatch(/createVpc × 1\.\nCreates at most 20 resources/);
  expect(
    describeEffectsOf(
      [],
      [
        { ...created, removal },
        { number: 1, status: 403 },
      ],
    ),
  ).not.toContain('--budget');
});
