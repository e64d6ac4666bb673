/** Examples of bodies that create resources, with names that are not taken: the default world has resources with the names of the examples. */

interface NamedBody {
  readonly name?: string;
  readonly metadata?: { readonly name?: string };
}

/** Prefixes the name of the resource, if the body has one. */
export function withNewName(body: NamedBody): NamedBody {
  const { name, metadata } = body;
  return {
    ...body,
    ...(name !== undefined && { name: `new-${name}` }),
    ...(metadata?.name !== undefined && { metadata: { ...metadata, name: `new-${metadata.name}` } }),
  };
}
