/** The oracle's section: its self-check, the violations it found, and disagreements. */
import type { Disagreement, OracleExample, OracleReport, OracleViolation } from '../../../spec/oracle.ts';
import type { ShapeFinding } from '../../../spec/shape-finding.ts';
import { oracleLine } from '../../oracle/oracle-line.ts';
import { escapeControls } from '../../printable.ts';
import { count, counted } from './format.ts';

const MAX_DISAGREEMENTS = 50;

export function Oracle({ oracle }: { oracle: OracleReport }) {
  const { violations, disagreements, leftOut, nothingToSay } = oracle;
  const reasons = [['response shape not documented', nothingToSay] as const, ...Object.entries(leftOut)].map(
    ([reason, number]) => `${reason} (${count(number)})`,
  );
  return (
    <section aria-labelledby="oracle-title" id="oracle">
      <h2 id="oracle-title">Oracle</h2>
      <p class="lead">{oracleLine(oracle)}</p>
      <p>Not checked: {reasons.join(', ')}.</p>
      {violations.map((violation) => (
        <Violation key={violation.requirement} {...violation} />
      ))}
      {disagreements.slice(0, MAX_DISAGREEMENTS).map((disagreement) => (
        <DisagreementItem key={disagreement.says} {...disagreement} />
      ))}
      {disagreements.length > MAX_DISAGREEMENTS && (
        <p>and {disagreements.length - MAX_DISAGREEMENTS} more in report.json</p>
      )}
    </section>
  );
}

const Violation = ({ requirement, rules = [], count: times, example }: OracleViolation) => (
  <article>
    <h3>
      <a href={`#${requirement}`}>{requirement}</a>: {counted(times, 'response')}
    </h3>
    {rules.length > 0 && (
      <p>Rules of these fields: {rules.map((rule, index) => [index > 0 && ', ', <a href={`#${rule}`}>{rule}</a>])}</p>
    )}
    <Example example={example} />
  </article>
);

const DisagreementItem = ({ blame, says, count: times, example }: Disagreement) => (
  <article>
    <h3>
      Error in the {blame}: {escapeControls(says)}
      {example !== undefined && `, ${count(times)} ×`}
    </h3>
    {example !== undefined && <Example example={example} />}
  </article>
);

const Example = ({ example: { prism, ours, curl } }: { example: OracleExample }) => (
  <>
    <Findings who="Prism" findings={prism} />
    <Findings who="Our reader" findings={ours} />
    <pre>{escapeControls(curl)}</pre>
  </>
);

const Findings = ({ who, findings }: { who: string; findings: readonly ShapeFinding[] }) =>
  findings.length === 0 ? null : (
    <ul class="findings">
      {findings.map(({ at, says }, index) => (
        <li key={index}>
          {who}: <code>{escapeControls(at) || 'the body'}</code> {escapeControls(says)}
        </li>
      ))}
    </ul>
  );
