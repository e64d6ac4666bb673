/** A comparison in the format of JUnit: one test case per compared operation, with an equal share of the time. */
import type { ComparisonReport } from '../../spec/formats/comparison.ts';
import { junitXml, seconds, timeShares, type Element } from '../junit-xml.ts';
import { classSentence, titleOf, valueText } from './rows.ts';

export function comparisonJunit(report: ComparisonReport): string {
  const cases = report.operations.map(({ operation }): Element => {
    const own = report.differences.filter((each) => each.operation === operation && each.known === undefined);
    const head = { '@classname': 'compare', '@name': operation };
    if (own.length === 0) return head;
    const text = own.map(
      (each) =>
        `${titleOf(each)}\n${classSentence(each, report)}\n${report.a.name}: ${valueText(each.a)}\n${report.b.name}: ${valueText(each.b)}`,
    );
    return {
      ...head,
      failure: { '@message': own.map(titleOf).join('; '), '@type': 'difference', '#text': text.join('\n\n') },
    };
  });
  const incomplete: Element[] = report.run.complete
    ? []
    : [
        {
          '@classname': 'assay',
          '@name': 'run',
          error: { '@message': 'The comparison is not complete.', '@type': 'incomplete' },
        },
      ];
  const found = [...cases, ...incomplete];
  const shares = timeShares(
    report.run,
    found.map(() => 1),
  );
  const all = found.map((each, index) => ({ ...each, '@time': seconds(shares[index] ?? 0) }));
  const count = (what: string): string => String(all.filter((each) => Object.hasOwn(each, what)).length);
  const totals = {
    '@tests': String(all.length),
    '@failures': count('failure'),
    '@errors': count('error'),
    '@time': seconds(shares.reduce((sum, each) => sum + each, 0)),
  };
  const name = `${report.a.name} and ${report.b.name}`;
  return junitXml({
    '@name': `assay ${name}`,
    ...totals,
    testsuite: { '@name': 'compare', ...totals, '@timestamp': report.run.startedAt, testcase: all },
  });
}
