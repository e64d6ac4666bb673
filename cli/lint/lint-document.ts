/** Lints one document with the ruleset, and compares it with the interface. */
import type { Coverage, CoverageGap } from '../../spec/coverage/coverage.ts';
import { coverageOf } from '../../spec/coverage/coverage.ts';
import ruleset from '../../spec/ruleset/index.mjs';
import { rules } from '../../spec/ruleset/rules/index.mjs';
import { spectralRule } from '../../spec/ruleset/spectral-rule.mjs';
import type { Linted, LintFinding } from './finding.ts';
import type { ParsedDocument } from './parse.ts';
import { parsed } from './parse.ts';
import type { Source } from './read-source.ts';
import { References } from './references.ts';
import type { ISpectralDiagnostic, RulesetDefinition } from './spectral.ts';
import { Spectral } from './spectral.ts';

const SEVERITIES = ['error', 'warning', 'note', 'note'] as const;
const requirementsOfRule = new Map<string, readonly string[]>(rules.map(({ id, requirements }) => [id, requirements]));

/** With a syntax error only that is reported, because other findings would be consequences of it. */
export async function lintDocument(source: Source): Promise<Linted> {
  const document = parsed(source);
  const nothing = { document: source.name, coverage: [], operations: {} };
  if (document.diagnostics.length > 0)
    return { ...nothing, findings: document.diagnostics.map((each) => findingOf(each, source)) };
  const seen: Coverage = { operations: {}, lacks: [] };
  const references = new References();
  const spectral = new Spectral({ resolver: references });
  spectral.setRuleset(withCoverage(seen));
  const results = (await spectral.run(document)).map((each) => findingOf(each, source, seen.lacks));
  return {
    document: source.name,
    findings: [...brokenReferences(references, source, document), ...results.filter(({ rule }) => rule !== 'coverage')],
    coverage: results.filter(({ rule }) => rule === 'coverage'),
    operations: seen.operations,
  };
}

/** The comparison runs as an additional rule, so that Spectral determines the positions. It fills in what it found. */
function withCoverage(seen: Coverage): RulesetDefinition {
  const rule = spectralRule(
    {
      description: 'The document has what the interface shows.',
      find(model) {
        if (model !== undefined) Object.assign(seen, coverageOf(model));
        return seen.lacks;
      },
    },
    'info',
  );
  return { rules: { ...ruleset.rules, coverage: rule } };
}

function brokenReferences({ broken, texts }: References, source: Source, root: ParsedDocument): LintFinding[] {
  const documents = new Map<string, ParsedDocument>([[root.source ?? '', root]]);
  return broken.map(({ from, path, message }) => {
    const document = documents.get(from) ?? parsed({ name: from, text: texts.get(from) ?? '' });
    documents.set(from, document);
    const range = document.getRangeForJsonPath([...path], true) ?? { start: TOP, end: TOP };
    return findingOf({ code: 'invalid-ref', message, path: [...path], severity: 0, range, source: from }, source);
  });
}

const TOP = { line: 0, character: 0 };

type Results = Pick<ISpectralDiagnostic, 'code' | 'message' | 'path' | 'severity' | 'range' | 'source'>;

function findingOf(result: Results, { name }: Source, lacks: readonly CoverageGap[] = []): LintFinding {
  const rule = String(result.code);
  const { start, end } = result.range;
  const lack = rule === 'coverage' ? lacks.find(({ message }) => message === result.message) : undefined;
  return {
    rule,
    severity: SEVERITIES[result.severity] ?? 'error',
    message: result.message,
    pointer: result.path.map((each) => `/${String(each).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    source: result.source ?? name,
    start: { line: start.line + 1, column: start.character + 1 },
    end: { line: end.line + 1, column: end.character + 1 },
    requirements: lack?.requirements ?? requirementsOfRule.get(rule) ?? [],
  };
}
