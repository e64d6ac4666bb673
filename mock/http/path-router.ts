/** Matches methods and paths of requests: the operations, the calls of `/_mock` and the identity provider. Based on @koa/router. */
import { Router } from './required.ts';

export interface PathRoute<Value> {
  readonly method: string;
  /** A pattern of @koa/router: `/agents/:agentName`; `*path` matches several segments, and braces are optional. */
  readonly pattern: string;
  readonly value: Value;
}

export interface PathMatch<Value> {
  readonly value: Value;
  /** Decoded path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
}

export interface PathRouter<Value> {
  /** Undefined if no route matches. HEAD matches as GET. */
  find(method: string, path: string): PathMatch<Value> | undefined;
  /** The routes that match a path with any method. */
  at(path: string): { readonly value: Value; readonly methods: readonly string[] }[];
}

/** `strict`: a trailing slash makes another path. */
export function createPathRouter<Value>(
  routes: Iterable<PathRoute<Value>>,
  { strict = false }: { strict?: boolean } = {},
): PathRouter<Value> {
  const router = new Router({ strict });
  const values: Value[] = [];
  for (const { method, pattern, value } of routes) {
    const methods = method === 'GET' ? ['HEAD', 'GET'] : [method];
    router.register(pattern, methods, () => {}, { name: String(values.push(value) - 1), strict });
  }
  const valueOf = (name: string | undefined) => values[Number(name)] as Value;
  return {
    find: (method, path) => {
      const layer = router.match(path, method).pathAndMethod[0];
      return layer && { value: valueOf(layer.name), params: layer.params(path, layer.captures(path)) };
    },
    at: (path) => router.match(path, '').path.map(({ name, methods }) => ({ value: valueOf(name), methods })),
  };
}

/** The pattern of a template such as `/worlds/{id}`, whose parameters are single segments. */
export function patternOf(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1');
}
