/** Generated deviations: a documented field of a response is wrong in a way that still fits its schema. */
import { Readable } from 'node:stream';
import { defects, type DefectKind } from '../../spec/fields/defects.ts';
import { detectedDefects } from '../../spec/fields/detected-defects.ts';
import { responseFields, type ResponseField } from '../../spec/fields/response-fields.ts';
import { bodyOf, isFor, type App, type Deviation, type Deviations } from './deviation.ts';
import { editAt } from './json-path.ts';

/** `<rule>/<operation>.<field>.<defect>`, for every defect that a rule detects; `each` stands for the elements of a list. */
export const fieldDeviations: Deviations = Object.fromEntries(
  responseFields.flatMap((field) =>
    Object.entries(detectedDefects[`${field.operation} ${field.field}`] ?? {}).flatMap(([rule, kinds]) =>
      kinds.map((kind) => [`${rule}/${variantOf(field, kind)}`, fieldDeviation(field, kind)]),
    ),
  ),
);

function variantOf({ operation, field }: ResponseField, kind: DefectKind): string {
  return `${operation}.${field.replaceAll('[]', '.each')}.${kind}`;
}

function fieldDeviation({ operation, field }: ResponseField, kind: DefectKind): Deviation {
  const { what, change } = defects[kind];
  const wrap = (app: App): App => {
    const seen = valueMemory();
    return async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      const isJson = !(reply?.body instanceof Readable) && typeof reply?.body !== 'string';
      if (!isFor(ctx, [operation]) || reply === undefined || reply.status >= 300 || !isJson) return;
      const body = editAt(bodyOf(ctx), field, (value) => change(value as never, seen(value)));
      ctx.state.reply = { ...reply, body };
    };
  };
  return { what: `Returns ${field} of ${operation} ${what}`, effect: `field ${kind}`, condition: operation, wrap };
}

/** Remembers the first value, and the latest one that differs from the given. */
function valueMemory() {
  const values: unknown[] = [];
  return (value: unknown) => {
    const key = JSON.stringify(value);
    const other = values.findLast((each) => JSON.stringify(each) !== key);
    values.push(value);
    return { first: values[0], other: other === undefined ? value : other };
  };
}
