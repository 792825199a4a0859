import { registerHooks } from 'node:module'
import { extname } from 'node:path'

/**
 * While it is in use, `import 'dragoman'` means this very installation: a configuration needs no
 * `node_modules` of its own, a checkout no build, and no second copy comes into the process.
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

function entryOf(specifier: string): string | undefined {
  // `.ts` in a checkout, `.js` in what is published.
  const extension = extname(import.meta.url)
  if (specifier === 'dragoman/config') {
    return new URL(`../../config/gateway.config${extension}`, import.meta.url).href
  }
  if (specifier === 'dragoman') return new URL(`../index${extension}`, import.meta.url).href
  if (specifier !== 'dragoman/testing') return undefined
  return new URL(`../testing/index${extension}`, import.meta.url).href
}
