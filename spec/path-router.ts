/** Matches methods and paths of requests: the operations, the calls of `/_mock` and the identity provider. Based on @koa/router. */
import { createRequire } from 'node:module';
import type RouterClass from '@koa/router';

// Its ES module imports node:http, which loads the whole of undici and adds 20 ms to every start.
const Router = createRequire(import.meta.url)('@koa/router') as typeof RouterClass;

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

/** `strict`: a trailing slash or another letter case makes another path. */
export function createPathRouter<Value>(
  routes: Iterable<PathRoute<Value>>,
  { strict = false }: { strict?: boolean } = {},
): PathRouter<Value> {
  const options = { strict, sensitive: strict };
  const router = new Router(options);
  const values: Value[] = [];
  for (const { method, pattern, value } of routes) {
    const methods = method === 'GET' ? ['HEAD', 'GET'] : [method];
    router.register(pattern, methods, () => {}, { name: String(values.push(value) - 1), ...options });
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
