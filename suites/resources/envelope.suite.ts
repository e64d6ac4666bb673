/** resources.envelope.*: what every resource shows of itself. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch } from '../target/violation.ts';
import { resourceAnswers } from './answers.ts';
import { isFields, isLeftOut } from '../json/fields.ts';
import { answerIsShown, metadataOf, mismatch, shownIn, told } from '../kit/resources/shown.ts';
import type { Shown } from '../kit/resources/shown.ts';
import { templateAnswer } from './template-answer.ts';

/** Of a resource whose answer is not shown: a spec may be as secret as what is in it. */
const mayBeLeftOut = ['spec', 'workspace'];

conforms('resources.envelope.metadata-and-spec', async (run) => {
  for (const exchange of await resourceAnswers(run)) {
    const shown = shownIn(exchange);
    if (answerIsShown.has(exchange.operation)) run.check(shown === undefined ? noObject(exchange) : misfits(shown));
    else if (shown?.resource['metadata'] !== undefined) run.check(misfits(shown, mayBeLeftOut));
  }
  for (const shown of await templateAnswer(run)) run.check(misfits(shown));
});

const noObject = (exchange: Shown['exchange']): Mismatch[] => [
  { expected: 'a resource', actual: told(exchange.response.json), exchange },
];

function misfits(shown: Shown, optional: readonly string[] = []): Mismatch[] {
  const { metadata, spec } = shown.resource;
  const { name, workspace } = metadataOf(shown);
  const mayLack = (part: string, value: unknown): boolean => isLeftOut(value) && optional.includes(part);
  return [
    ...Object.entries({ metadata, spec })
      .filter(([part, value]) => !isFields(value) && !mayLack(part, value))
      .map(([part, value]) => mismatch(shown, `${part}: an object`, `${part}: ${told(value)}`)),
    ...Object.entries({ name, workspace })
      .filter(([field, value]) => (typeof value !== 'string' || value === '') && !mayLack(field, value))
      .map(([field, value]) => mismatch(shown, `metadata.${field}: a text`, `metadata.${field}: ${told(value)}`)),
  ];
}
