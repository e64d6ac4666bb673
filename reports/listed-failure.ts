/** Which rules an entry of the known failures of a report covers. */
import type { JudgedKnownFailure } from '../spec/verdicts.ts';

type Entry = Pick<JudgedKnownFailure, 'id' | 'rules'>;

export const listsRule = ({ id, rules }: Entry, rule: string): boolean =>
  rules === undefined ? rule === id : rules.some((each) => each === rule);
