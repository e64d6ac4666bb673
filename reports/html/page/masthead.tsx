/** How the run went in one sentence, and what it was. */
import type { RuleResult } from '../../../spec/verdicts.ts';
import type { PageData } from '../page-data.ts';
import { printable } from '../../printable.ts';
import { whyOf } from '../../format-reason.ts';
import { headline } from './headline.ts';
import { count, counted, duration, instant } from './format.ts';
import { ThemeButton } from './theme-button.tsx';

export function Masthead({ data }: { data: PageData }) {
  const { run, target, summary } = data.report;
  const took = Date.parse(run.endedAt) - Date.parse(run.startedAt);
  const addresses = [...new Set(Object.values(target.addresses))].map((address) => printable(address));
  const { tried, all } = data.mustRules;
  return (
    <header class="masthead">
      <div class="masthead-line">
        <p class="eyebrow">
          {printable(target.name)} <span>{instant(run.startedAt)}</span>
        </p>
        <ThemeButton />
      </div>
      <h1 class={toneOf(data)}>{headline(data)}</h1>
      <p class="lead">
        {tried} of {all} must rules tried: {summary.passed} passed, {summary.failed} failed
        {summary.knownFailure > 0 && `, ${summary.knownFailure} known to fail`}
        {summary.error > 0 && `, ${counted(summary.error, 'error')}`}. {count(summary.observed)} observed where the
        document is silent.
      </p>
      <BrokenRules results={data.report.requirements} />
      {data.problems.map((problem) => (
        <p class="problem" key={problem}>
          {printable(problem)}
        </p>
      ))}
      <Left sentences={data.report.left ?? []} />
      <dl class="facts">
        <Fact name="Allowed to">{target.allow}</Fact>
        <Fact name="Exchanges">{count(summary.exchanges)}</Fact>
        <Fact name="Took">{duration(took)}</Fact>
        <Fact name="Inputs a property">{run.runs}</Fact>
        <Fact name="Seed">{run.seed}</Fact>
        <Fact name="Run">{run.id + (run.shard === null ? '' : `, shard ${run.shard}`)}</Fact>
        <Fact name="Address">{addresses.join(' · ')}</Fact>
      </dl>
    </header>
  );
}

/** Of a run in which no must rule was tried there is nothing good or bad to say. */
function toneOf({ cause, mustRules: { tried } }: PageData): string | undefined {
  if (cause !== undefined) return 'broken';
  return tried === 0 ? undefined : 'held';
}

const MOST = 8;

function Left({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <ul class="broken-rules" aria-label="What is left at the target">
      {sentences.slice(0, MOST).map((sentence) => (
        <li key={sentence}>
          <span>{printable(sentence)}</span>
        </li>
      ))}
      {sentences.length > MOST && <li>and {sentences.length - MOST} more, in report.json</li>}
    </ul>
  );
}

/** Each leads to what broke it; errors, which say nothing of the target, last. */
function BrokenRules({ results }: { results: readonly RuleResult[] }) {
  const broken = (['failed', 'error'] as const).flatMap((each) => results.filter(({ verdict }) => verdict === each));
  if (broken.length === 0) return null;
  return (
    <ul class="broken-rules" aria-label="What failed">
      {broken.slice(0, MOST).map((result) => (
        <li key={result.id}>
          <a href={`#${result.id}`}>{result.id}</a>
          <span>{inShort(printable(whyOf(result)))}</span>
        </li>
      ))}
      {broken.length > MOST && <li>and {broken.length - MOST} more</li>}
    </ul>
  );
}

const inShort = (text: string): string => (text.length <= 120 ? text : `${text.slice(0, 120)}…`);

const Fact = ({ name, children }: { name: string; children: string | number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
