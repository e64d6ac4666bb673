/** What each billing dimension of the mock is billed for, for docs/mock.md. */
import { causes } from '../../../mock/metrics/causes.ts';
import { markdownTable } from './markdown-table.ts';

export const causeTable = (): string =>
  markdownTable(
    ['billing dimension', 'what is billed'],
    Object.entries(causes).map(([dimension, { because }]) => [`\`${dimension}\``, because]),
  );
