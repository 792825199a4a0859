import { registerHooks } from 'node:module'

/**
 * Until it is disposed of, `import 'dragoman'` resolves to this installation. A configuration needs no
 * `node_modules`, a checkout needs no build, and the process loads no second copy.
 */
export function provideOwnPackage(): Disposable {
  // The published package finds its entries by its own `exports`; in a checkout these lead to a build that may be absent.
  const isCheckout = import.meta.url.endsWith('.ts')
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const source = sources.get(specifier)
      if (source === undefined) return nextResolve(specifier, context)
      if (!isCheckout) return nextResolve(specifier, { ...context, parentURL: import.meta.url })
      return { url: new URL(source, import.meta.url).href, shortCircuit: true }
    },
  })
  return {
    [Symbol.dispose]: () => hooks.deregister(),
  }
}

/** The sources of the modules that `package.json` exports. */
const sources: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
)

/** The modules of this package, by their names. */
export const ownModules: readonly string[] = [...sources.keys()]
