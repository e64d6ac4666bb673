/** resources.envelope.*: what every resource shows of itself. */
import { conforms } from '../conforms.ts';
import type { Mismatch } from '../violation.ts';
import { resourceAnswers } from './answers.ts';
import { isFields, metadataOf, mismatch, shownIn, told } from './shown.ts';
import type { Shown } from './shown.ts';
import { templateAnswer } from './template-answer.ts';

/** Their shapes are documented; the answers of other creates may show anything, or nothing. */
const shapeIsShown = new Set<string | undefined>(['updateAgent', 'createVpc']);

conforms('resources.envelope.metadata-and-spec', async (run) => {
  for (const exchange of await resourceAnswers(run)) {
    const shown = shownIn(exchange);
    if (shapeIsShown.has(exchange.operation)) run.check(shown === undefined ? noObject(exchange) : misfits(shown));
    else if (shown?.resource['metadata'] !== undefined) run.check(misfits(shown));
  }
  for (const shown of await templateAnswer(run)) run.check(misfits(shown));
});

const noObject = (exchange: Shown['exchange']): Mismatch[] => [
  { expected: 'a resource', actual: told(exchange.answer.json), exchange },
];

function misfits(shown: Shown): Mismatch[] {
  const { metadata, spec } = shown.resource;
  const { name, workspace } = metadataOf(shown);
  return [
    ...Object.entries({ metadata, spec })
      .filter(([, value]) => !isFields(value))
      .map(([part, value]) => mismatch(shown, `${part}: an object`, `${part}: ${told(value)}`)),
    ...Object.entries({ name, workspace })
      .filter(([, value]) => typeof value !== 'string' || value === '')
      .map(([field, value]) => mismatch(shown, `metadata.${field}: a text`, `metadata.${field}: ${told(value)}`)),
  ];
}
