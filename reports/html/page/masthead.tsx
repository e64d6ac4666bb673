/** The page header: the result in one sentence, and facts about the run. */
import type { RuleResult } from '../../../spec/verdicts.ts';
import type { PageData } from '../page-data.ts';
import { escapeControls } from '../../printable.ts';
import { formatReason } from '../../format-reason.ts';
import { judgedSentence } from '../../judged-sentence.ts';
import { headline } from './headline.ts';
import { count, counted, duration, instant } from './format.ts';
import { ThemeButton } from './theme-button.tsx';

export function Masthead({ data }: { data: PageData }) {
  const { run, target, summary } = data.report;
  const durationMs = Date.parse(run.endedAt) - Date.parse(run.startedAt);
  const addresses = [...new Set(Object.values(target.addresses))].map((address) => escapeControls(address));
  return (
    <header class="masthead">
      <div class="masthead-line">
        <p class="eyebrow">
          {escapeControls(target.name)} <span>{instant(run.startedAt)}</span>
        </p>
        <ThemeButton />
      </div>
      <h1 class={toneOf(data)}>{headline(data)}</h1>
      <p class="lead">
        {data.mustRules.sentence}: {summary.passed} passed, {summary.failed} failed
        {summary.knownFailure > 0 && `, ${summary.knownFailure} known failures`}
        {summary.error > 0 && `, ${counted(summary.error, 'error')}`}.
        {summary.observed > 0 && ` ${count(summary.observed)} observed, where the interface specifies nothing.`}
        {data.excludedCount > 0 && ` ${counted(data.excludedCount, 'rule')} not selected.`}
      </p>
      {data.commonResponse !== undefined && <p class="problem">{data.commonResponse}</p>}
      <FailedRules results={data.report.requirements} />
      {data.problems.map((problem) => (
        <p class="problem" key={problem}>
          {escapeControls(problem)}
        </p>
      ))}
      {data.notImplemented !== undefined && <p class="lead">{data.notImplemented}</p>}
      {data.stopped !== undefined && <p class="lead">{data.stopped}</p>}
      <NotRemoved sentences={data.report.left ?? []} />
      {run.judged !== undefined && <p class="lead">Traffic of others: {judgedSentence(run.judged)}.</p>}
      <dl class="facts">
        <Fact name="Exchanges">{count(summary.exchanges)}</Fact>
        <Fact name="Duration">{duration(durationMs)}</Fact>
        {run.judged === undefined && (
          <>
            <Fact name="Allow">{target.allow}</Fact>
            <Fact name="Inputs per property">{run.stoppedBy === 'quick' ? 'the first round' : run.runs}</Fact>
            <Fact name="Seed">{run.seed}</Fact>
          </>
        )}
        <Fact name="Run">{run.id + (run.shard === null ? '' : `, shard ${run.shard}`)}</Fact>
        <Fact name="Address">{addresses.join(' · ')}</Fact>
      </dl>
    </header>
  );
}

/** No tone if no must rule was tried. */
function toneOf({ cause, mustRules: { tried } }: PageData): string | undefined {
  if (cause !== undefined) return 'broken';
  return tried === 0 ? undefined : 'held';
}

const MAX_ITEMS = 8;

function NotRemoved({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <ul class="broken-rules" aria-label="Not removed from the target">
      {sentences.slice(0, MAX_ITEMS).map((sentence) => (
        <li key={sentence}>
          <span>{escapeControls(sentence)}</span>
        </li>
      ))}
      {sentences.length > MAX_ITEMS && <li>and {sentences.length - MAX_ITEMS} more, in report.json</li>}
    </ul>
  );
}

/** Links to failed rules, then to errors. */
function FailedRules({ results }: { results: readonly RuleResult[] }) {
  const failedRules = (['failed', 'error'] as const).flatMap((each) =>
    results.filter(({ verdict }) => verdict === each),
  );
  if (failedRules.length === 0) return null;
  return (
    <ul class="broken-rules" aria-label="What failed">
      {failedRules.slice(0, MAX_ITEMS).map((result) => (
        <li key={result.id}>
          <a href={`#${result.id}`}>{result.id}</a>
          <span>{truncate(escapeControls(formatReason(result)))}</span>
        </li>
      ))}
      {failedRules.length > MAX_ITEMS && <li>and {failedRules.length - MAX_ITEMS} more</li>}
    </ul>
  );
}

const truncate = (text: string): string => (text.length <= 120 ? text : `${text.slice(0, 120)}…`);

const Fact = ({ name, children }: { name: string; children: string | number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
