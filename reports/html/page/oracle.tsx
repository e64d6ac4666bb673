/** What the second reader of the documents says: how it proved itself, what it found, and where it and others differ. */
import type { Disagreement, OracleExample, OracleReport, OracleViolation } from '../../../spec/oracle.ts';
import type { ShapeFinding } from '../../../spec/verdicts.ts';
import { oracleLine } from '../../oracle/oracle-line.ts';
import { printable } from '../../printable.ts';
import { count, counted } from './format.ts';

const MOST = 50;

export function Oracle({ oracle }: { oracle: OracleReport }) {
  const { violations, disagreements, leftOut, nothingToSay } = oracle;
  const reasons = [['the interface does not say how it looks', nothingToSay] as const, ...Object.entries(leftOut)].map(
    ([reason, number]) => `${reason} (${count(number)})`,
  );
  return (
    <section aria-labelledby="oracle-title" id="oracle">
      <h2 id="oracle-title">Oracle</h2>
      <p class="lead">{oracleLine(oracle)}</p>
      <p>Not judged: {reasons.join(', ')}.</p>
      {violations.map((violation) => (
        <Violation key={violation.requirement} {...violation} />
      ))}
      {disagreements.slice(0, MOST).map((disagreement) => (
        <Differing key={disagreement.says} {...disagreement} />
      ))}
      {disagreements.length > MOST && <p>and {disagreements.length - MOST} more in report.json</p>}
    </section>
  );
}

const Violation = ({ requirement, rules = [], count: times, example }: OracleViolation) => (
  <article>
    <h3>
      <a href={`#${requirement}`}>{requirement}</a>: {counted(times, 'answer')}
    </h3>
    {rules.length > 0 && (
      <p>Rules of these fields: {rules.map((rule, index) => [index > 0 && ', ', <a href={`#${rule}`}>{rule}</a>])}</p>
    )}
    <Example example={example} />
  </article>
);

const Differing = ({ blame, says, count: times, example }: Disagreement) => (
  <article>
    <h3>
      {blame} to blame: {printable(says)}
      {example !== undefined && `, ${count(times)} ×`}
    </h3>
    {example !== undefined && <Example example={example} />}
  </article>
);

const Example = ({ example: { prism, ours, curl } }: { example: OracleExample }) => (
  <>
    <Findings who="Prism" findings={prism} />
    <Findings who="Our reader" findings={ours} />
    <pre>{printable(curl)}</pre>
  </>
);

const Findings = ({ who, findings }: { who: string; findings: readonly ShapeFinding[] }) =>
  findings.length === 0 ? null : (
    <ul class="findings">
      {findings.map(({ at, says }, index) => (
        <li key={index}>
          {who}: <code>{printable(at) || 'the body'}</code> {printable(says)}
        </li>
      ))}
    </ul>
  );
