import { registerHooks } from 'node:module'
import { extname } from 'node:path'

/**
 * Until it is disposed of, `import 'dragoman'` resolves to this installation. A configuration needs no
 * `node_modules`, a checkout needs no build, and the process loads no second copy.
 */
export function provideOwnPackage(): Disposable {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const entry = entryOf(specifier)
      return entry ? { url: entry, shortCircuit: true } : nextResolve(specifier, context)
    },
  })
  return {
    [Symbol.dispose]: () => hooks.deregister(),
  }
}

/** The modules that `package.json` exports. */
const ownEntries: Readonly<Record<string, string>> = {
  dragoman: '../index',
  'dragoman/admin': '../admin/index',
  'dragoman/config': '../../config/gateway.config',
  'dragoman/dialect': '../dialect-kit/index',
  'dragoman/plugins/cors': '../../plugins/cors',
  'dragoman/plugins/guardrail': '../../plugins/guardrail/index',
  'dragoman/plugins/ip-lists': '../../plugins/ip-lists',
  'dragoman/plugins/jwt': '../../plugins/jwt/index',
  'dragoman/plugins/response-cache': '../../plugins/response-cache/index',
  'dragoman/testing': '../testing/index',
}

/** The modules of this package, by their names. */
export const ownModules: readonly string[] = Object.keys(ownEntries)

function entryOf(specifier: string): string | undefined {
  const entry = ownEntries[specifier]
  // `.ts` in a checkout, `.js` in the published package.
  return entry && new URL(entry + extname(import.meta.url), import.meta.url).href
}
