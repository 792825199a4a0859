import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

import { repository } from '../../docs/pages.ts'

/** The example imports the gateway by the names of its package, which are not installed in a checkout. */
const hooks = registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'dragoman/dialect') return next(specifier, context)
    const url = pathToFileURL(join(repository, 'src/dialect-kit/index.ts')).href
    return { url, shortCircuit: true }
  },
})

export const { ollama } = await import('../../../examples/dialect-ollama/dialect.ts')
export const { ollamaCodec } = await import('../../../examples/dialect-ollama/codec.ts')

hooks.deregister()
