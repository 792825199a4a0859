import { registerHooks } from 'node:module'

/**
 * Until it is disposed of, `import 'dragoman'` resolves to this installation. A configuration needs no
 * `node_modules`, a checkout needs no build, and the process loads no second copy.
 */
export function provideOwnPackage(): Disposable {
  const entries = new Map(ownModules.map((name) => [name, entryOf(name)]))
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const entry = entries.get(specifier)
      return entry ? { url: entry, shortCircuit: true } : nextResolve(specifier, context)
    },
  })
  return {
    [Symbol.dispose]: () => hooks.deregister(),
  }
}

/** The sources of the modules that `package.json` exports. */
const sources: Readonly<Record<string, string>> = {
  dragoman: '../index.ts',
  'dragoman/admin': '../admin/index.ts',
  'dragoman/config': '../../config/gateway.config.ts',
  'dragoman/dialect': '../dialect-kit/index.ts',
  'dragoman/plugins/cors': '../../plugins/cors.ts',
  'dragoman/plugins/guardrail': '../../plugins/guardrail/index.ts',
  'dragoman/plugins/ip-lists': '../../plugins/ip-lists.ts',
  'dragoman/plugins/jwt': '../../plugins/jwt/index.ts',
  'dragoman/plugins/response-cache': '../../plugins/response-cache/index.ts',
  'dragoman/testing': '../testing/index.ts',
}

/** The modules of this package, by their names. */
export const ownModules: readonly string[] = Object.keys(sources)

/** The published package finds its entries by its own `exports`, which in a checkout lead to a build that may be absent. */
function entryOf(name: string): string {
  const isCheckout = import.meta.url.endsWith('.ts')
  return isCheckout ? new URL(sources[name]!, import.meta.url).href : import.meta.resolve(name)
}
