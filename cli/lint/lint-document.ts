/** Lints one document with a ruleset, and compares it with the interface. */
import type { Coverage, CoverageGap } from '../../spec/coverage/coverage.ts';
import { coverageOf } from '../../spec/coverage/coverage.ts';
import ownRuleset from '../../spec/ruleset/index.mjs';
import { spectralRule } from '../../spec/ruleset/spectral-rule.mjs';
import { UsageError } from '../command-line/usage-error.ts';
import type { LintedDocument, LintFinding, LintRule, Recognized } from './finding.ts';
import { sortFindings, severities } from './finding.ts';
import type { ParsedDocument } from './parse.ts';
import { parseDocument, syntaxOf, withParserErrors } from './parse.ts';
import { correctDiagnostics } from './parser-diagnostics.ts';
import type { Source } from './read-source.ts';
import { nothingRecognized, pointerTo, recognizedIn } from './recognized.ts';
import { References } from './references.ts';
import { describeBrokenGiven } from './ruleset/broken-given.ts';
import { describeRules } from './ruleset/describe-rules.ts';
import { describeError, invalidRuleset } from './ruleset/invalid-ruleset.ts';
import type { UserRuleset } from './ruleset/load-ruleset.ts';
import { suggestRules } from './ruleset/unknown-rule.ts';
import type { ISpectralDiagnostic } from './spectral.ts';
import { Ruleset, Spectral } from './spectral.ts';
import { inOurWords, isStringKeyFinding } from './string-keys.ts';

/** What the comparison with the interface fills in. */
type Seen = Coverage & { recognized: Recognized };

/** The comparison is reported under this name, and runs as a rule. */
const COVERAGE = 'coverage';

/**
 * With a syntax error only that is reported, because other findings would be consequences of it. `userRuleset`: replaces ours.
 * Throws UsageError if it cannot be used.
 */
export async function lintDocument(source: Source, userRuleset?: UserRuleset): Promise<LintedDocument> {
  const document = parseDocument(source);
  const seen: Seen = { operations: {}, lacks: [], recognized: nothingRecognized };
  const ruleset = withCoverage(seen, userRuleset);
  const rules = describeRules(ruleset).filter(({ id }) => id !== COVERAGE);
  const nothing = { document: source.name, rules, recognized: nothingRecognized, coverage: [], operations: {} };
  if (!document.diagnostics.every(isStringKeyFinding)) {
    const found = document.diagnostics.map((each) => findingOf(each, source));
    return { ...nothing, isLinted: false, findings: sortFindings(found) };
  }
  const references = new References({ dereferences: userRuleset !== undefined });
  const spectral = new Spectral({ resolver: references });
  spectral.setRuleset(ruleset);
  const diagnostics = correctReferenced(
    await runRules(spectral, { ruleset, document, resolver: references }, userRuleset),
    references,
  );
  const results = diagnostics.map((each) => findingOf(each, source, seen.lacks, rules));
  return {
    ...nothing,
    isLinted: true,
    recognized: seen.recognized,
    findings: sortFindings(
      withoutConsequences([
        ...brokenReferences(references, source, document),
        ...results.filter(({ rule }) => rule !== COVERAGE),
      ]),
    ),
    coverage: results.filter(({ rule }) => rule === COVERAGE),
    operations: seen.operations,
  };
}

/** What is no OpenAPI 3 document, such as one of Swagger 2.0, has only the finding that says so. */
function withoutConsequences(findings: readonly LintFinding[]): readonly LintFinding[] {
  const other = findings.filter(({ rule }) => rule === 'openapi-version');
  return other.length > 0 ? other : findings;
}

/** The comparison runs as an additional rule, so that Spectral determines the positions. */
function withCoverage(seen: Seen, userRuleset?: UserRuleset): Ruleset {
  const rule = spectralRule(
    {
      description: 'The document has what the interface shows.',
      find(model) {
        if (model !== undefined) Object.assign(seen, coverageOf(model), { recognized: recognizedIn(model) });
        return seen.lacks;
      },
    },
    'info',
  );
  if (userRuleset === undefined) return new Ruleset({ ...ownRuleset, rules: { ...ownRuleset.rules, coverage: rule } });
  const { definition, file } = userRuleset;
  try {
    // Validated without the comparison too, which would be a rule if there were none.
    const own = new Ruleset(definition, { severity: 'recommended', source: file }).rules;
    if (COVERAGE in own)
      throw invalidRuleset(file, `A rule must not be called ${COVERAGE}; assay uses this name itself.`);
    if (!Object.values(own).some(({ enabled }) => enabled) && !('overrides' in definition))
      throw invalidRuleset(file, 'No rule is on, so nothing would be checked.');
    const rules = { ...('rules' in definition && definition.rules), coverage: rule };
    return new Ruleset({ ...definition, rules }, { severity: 'recommended', source: file });
  } catch (error) {
    throw error instanceof UsageError ? error : invalidRuleset(file, suggestRules(describeError(error), definition));
  }
}

async function runRules(
  spectral: Spectral,
  run: Parameters<typeof describeBrokenGiven>[0],
  userRuleset: UserRuleset | undefined,
): Promise<ISpectralDiagnostic[]> {
  try {
    return await spectral.run(run.document);
  } catch (error) {
    // Ours throw nothing but this: they call themselves for each level.
    if (userRuleset === undefined) throw rangeErrorIn(error) ?? error;
    if (error instanceof RangeError) throw error;
    throw invalidRuleset(userRuleset.file, (await describeBrokenGiven(run)) ?? describeError(error));
  }
}

/** The RangeError that a rule has thrown, which Spectral wraps. */
function rangeErrorIn(error: unknown): RangeError | undefined {
  if (error instanceof RangeError) return error;
  if (!(error instanceof Error)) return undefined;
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return inner.map(rangeErrorIn).find((each) => each !== undefined);
}

/** Those of the document itself were corrected when it was parsed. */
function correctReferenced(found: readonly Results[], { texts }: References): Results[] {
  const bySource = Map.groupBy(found, ({ source }) => source ?? '');
  const referenced = [...texts].flatMap(([source, text]) =>
    withParserErrors(() => correctDiagnostics(bySource.get(source) ?? [], text, syntaxOf(source))).map((each) => ({
      ...each,
      source,
    })),
  );
  return [...found.filter(({ source }) => !texts.has(source ?? '')), ...referenced];
}

function brokenReferences({ broken, texts }: References, source: Source, root: ParsedDocument): LintFinding[] {
  const documents = new Map<string, ParsedDocument>([[root.source ?? '', root]]);
  return broken.map(({ from, path, message }) => {
    const document = documents.get(from) ?? parseDocument({ name: from, text: texts.get(from) ?? '' });
    documents.set(from, document);
    const range = document.getRangeForJsonPath([...path], true) ?? { start: TOP, end: TOP };
    return findingOf({ code: 'invalid-ref', message, path: [...path], severity: 0, range, source: from }, source);
  });
}

const TOP = { line: 0, character: 0 };

type Results = Pick<ISpectralDiagnostic, 'code' | 'message' | 'path' | 'severity' | 'range' | 'source'>;

function findingOf(
  found: Results,
  { name }: Source,
  lacks: readonly CoverageGap[] = [],
  rules: readonly LintRule[] = [],
): LintFinding {
  const result = inOurWords(found);
  const rule = String(result.code);
  const { start, end } = result.range;
  const lack = rule === COVERAGE ? lacks.find(({ message }) => message === result.message) : undefined;
  return {
    rule,
    severity: severities[result.severity] ?? 'error',
    message: result.message,
    pointer: pointerTo(result.path),
    source: result.source ?? name,
    start: { line: start.line + 1, column: start.character + 1 },
    end: { line: end.line + 1, column: end.character + 1 },
    requirements: lack?.requirements ?? rules.find(({ id }) => id === rule)?.requirements ?? [],
  };
}
