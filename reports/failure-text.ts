/** What every text format prints about a failure, in the same order: the request, what differs, how to try it again. */
import { counted } from '../spec/counted.ts';
import { sourcesOf } from '../spec/requirements/index.ts';
import { describeSource } from '../spec/requirements/source.ts';
import type { Counterexample, Report, RuleResult } from '../spec/verdicts.ts';
import { diffWords } from './html/page/words.ts';
import type { Word } from './html/page/words.ts';
import { replayCommand } from './replay-command.ts';
import { requestText } from './request-text.ts';
import { sentBy } from './sent-by.ts';
import { simpleInput } from './simple-input.ts';

export type Label =
  | 'source'
  | 'recorded'
  | 'request'
  | 'sent for'
  | 'input'
  | 'expected'
  | 'actual'
  | 'difference'
  | 'more'
  | 'waited'
  | 'reason'
  | 'replay'
  | 'curl';

export interface Part {
  readonly label: Label;
  /** May contain text of the target. Of several lines for a request or curl. */
  readonly text: string;
}

/** The report of a result and its folder, from which the result can be replayed. */
export interface Origin {
  readonly report: Pick<Report, 'run' | 'target'>;
  readonly folder: string;
}

/** `origin` is absent if there is no report. Without the curl script if it would go to a mock that ended with the run. */
export function failureParts({ id, reason, counterexample }: RuleResult, origin?: Origin): Part[] {
  const quoted = counterexample?.sources ?? sourcesOf(id).map(describeSource);
  const sources = quoted.map((source) => part('source', source));
  if (counterexample === undefined) return [...sources, part('reason', reason ?? '')];
  const { request, curl, recorded, waitedSeconds } = counterexample;
  const input = inputText(counterexample);
  const sender = sentBy({ id, counterexample });
  return [
    ...sources,
    ...(recorded === undefined ? [] : [part('recorded', recorded)]),
    ...(request === undefined ? [] : [part('request', requestText(request))]),
    ...(sender === undefined ? [] : [part('sent for', sender)]),
    ...(input === undefined ? [] : [part('input', input)]),
    ...differenceParts(counterexample),
    ...(waitedSeconds === undefined ? [] : [part('waited', `${waitedSeconds} s for delayed effects`)]),
    ...(origin === undefined || recorded !== undefined
      ? []
      : [part('replay', replayCommand(origin.report, origin.folder, id))]),
    ...(curl === '' || origin?.report.run.mock !== undefined ? [] : [part('curl', curl)]),
  ];
}

const part = (label: Label, text: string): Part => ({ label, text });

const MAX_DIFFERENCES = 3;

function differenceParts({ expected, actual, differences = [{ expected, actual }] }: Counterexample): Part[] {
  const more = differences.length - MAX_DIFFERENCES;
  return [
    ...differences
      .slice(0, MAX_DIFFERENCES)
      .flatMap((each) => [
        part('expected', each.expected),
        part('actual', each.actual),
        ...briefDifference(each).map((text) => part('difference', text)),
      ]),
    ...(more > 0 ? [part('more', `${counted(more, 'more difference')}, in the report`)] : []),
  ];
}

/** Shorter texts can be compared at a glance. */
const MIN_COMPARED_LENGTH = 60;
const MAX_DIFFERING_LENGTH = 40;

/** The words that differ between two long texts. Empty if they would not be shorter. */
function briefDifference({ expected, actual }: Pick<Counterexample, 'expected' | 'actual'>): string[] {
  if (Math.min(expected.length, actual.length) < MIN_COMPARED_LENGTH) return [];
  const { left, right } = diffWords(expected, actual);
  const [wanted, found] = [differingText(left), differingText(right)];
  if (wanted === found || Math.max(wanted.length, found.length) > MAX_DIFFERING_LENGTH) return [];
  if (found === '') return [`without ${wanted}`];
  return [wanted === '' ? `also ${found}` : `${found} instead of ${wanted}`];
}

/** Without separators and quotes at both ends. */
const differingText = (words: readonly Word[]): string =>
  words
    .filter(({ differs }) => differs)
    .map(({ text }) => text)
    .join(' … ')
    .replaceAll(/^[\s,;"]+|[\s,;"]+$/g, '');

const shrinkingWords = {
  finished: 'the smallest that fails',
  stopped: 'smaller than the first that failed',
  none: undefined,
} as const satisfies Record<NonNullable<Counterexample['shrinking']>, string | undefined>;

/** Undefined if the case has only one input, or the request alone describes it. */
function inputText({ input, path, shrinking = 'none' }: Counterexample): string | undefined {
  if (path === '') return undefined;
  const words = [simpleInput(input), shrinkingWords[shrinking]].filter((each) => each !== undefined);
  return words.length === 0 ? undefined : words.join(', ');
}
