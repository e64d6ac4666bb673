/** A schema as a tree whose branches unfold. */
import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { OpenApiDocument, Schema } from '../../../../../spec/openapi-document.ts';
import { constraintsOf, resolveSchema, typeOf } from './schema-facts.ts';
import { Text } from './text.tsx';

interface Props {
  document: OpenApiDocument;
  schema: Schema;
  /** 0 at the root. */
  depth?: number;
}

/** Branches up to this depth are unfolded at first. */
const OPEN_DEPTH = 1;

/** The description and the constraints of the schema, then its properties, entries or alternatives. */
export function SchemaTree({ document, schema, depth = 0 }: Props) {
  const whole = resolveSchema(document, schema);
  return (
    <>
      <Constraints schema={whole} />
      <Text>{whole.description}</Text>
      <Members document={document} schema={whole} depth={depth} />
    </>
  );
}

function Members({ document, schema, depth }: Required<Props>) {
  const { properties, items, anyOf, additionalProperties: others, required = [] } = schema;
  const ofEntries = typeof others === 'object' ? others : undefined;
  if (anyOf !== undefined)
    return (
      <ul class="schema">
        {anyOf.map((each, index) => (
          <Member key={index} name="" label={`alternative ${index + 1}`} {...{ document, depth }} schema={each} />
        ))}
      </ul>
    );
  if (items !== undefined) {
    const entry = resolveSchema(document, items);
    return hasMembers(entry) ? (
      <Members document={document} schema={entry} depth={depth} />
    ) : (
      <Constraints schema={entry} />
    );
  }
  if (properties === undefined && ofEntries === undefined) return null;
  return (
    <ul class="schema">
      {Object.entries(properties ?? {}).map(([name, each]) => (
        <Member key={name} name={name} isRequired={required.includes(name)} {...{ document, depth }} schema={each} />
      ))}
      {ofEntries !== undefined && <Member name="" label="any other key" {...{ document, depth }} schema={ofEntries} />}
    </ul>
  );
}

const hasMembers = ({ properties, items, anyOf, additionalProperties }: Schema): boolean =>
  properties !== undefined || items !== undefined || anyOf !== undefined || typeof additionalProperties === 'object';

interface MemberProps extends Required<Props> {
  /** Empty: `label` stands for it. */
  name: string;
  label?: string;
  isRequired?: boolean;
}

function Member({ document, schema, depth, name, label, isRequired = false }: MemberProps) {
  const whole = resolveSchema(document, schema);
  return (
    <li>
      <p class="property">
        {name === '' ? <em>{label}</em> : <code>{name}</code>} <span class="type">{typeOf(document, schema)}</span>
        {isRequired && <strong class="required">required</strong>}
      </p>
      <Constraints schema={whole} />
      <Text>{whole.description}</Text>
      {hasMembers(whole) && isFoldable(document, whole) && (
        <Branch isOpenAtFirst={depth < OPEN_DEPTH} name={name || (label ?? '')}>
          {() => <Members document={document} schema={whole} depth={depth + 1} />}
        </Branch>
      )}
    </li>
  );
}

/** A list of plain values has nothing to unfold: its entries are described next to it. */
function isFoldable(document: OpenApiDocument, schema: Schema): boolean {
  return (
    schema.items === undefined ||
    hasMembers(resolveSchema(document, schema.items)) ||
    constraintsOf(resolveSchema(document, schema.items)).length > 0
  );
}

/** Rendered only while open, because schemas may contain themselves. */
function Branch({
  isOpenAtFirst,
  name,
  children,
}: {
  isOpenAtFirst: boolean;
  name: string;
  children: () => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {isOpen ? 'Hide' : 'Show'} what <span class="code">{name}</span> contains
      </summary>
      {isOpen && children()}
    </details>
  );
}

/** Separated by commas; values may be long. */
export function Constraints({ schema }: { schema: Schema }) {
  const constraints = constraintsOf(schema);
  return constraints.length === 0 ? null : <p class="constraints">{constraints.join(' · ')}</p>;
}
