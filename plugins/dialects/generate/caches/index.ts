import { defineDialect } from '../../../../src/contract/dialect.ts'
import { type GatewayPlugin, definePlugin } from '../../../../src/contract/plugin.ts'
import { googleEndpoint } from '../../shared/google-endpoint.ts'
import { accountFilesOf } from '../../shared/stored-objects.ts'
import { generateFiles } from '../files.ts'
import { createCache } from './create.ts'
import { type CachesDependencies, cacheFamily } from './family.ts'
import { cacheOperations } from './operations.ts'

/** Options of the plugin. */
interface CachesOptions extends Omit<CachesDependencies, 'now'> {
  /** Returns milliseconds since 1970. */
  readonly now?: () => number
}

/** Returns the plugin that serves `/v1beta/cachedContents`. */
export function cachedContents({ now = Date.now, ...options }: CachesOptions): GatewayPlugin {
  const parts = { ...options, now }
  const dialect = defineDialect({
    id: 'cached-contents',
    title: 'cached contents of the Gemini API',
    ...googleEndpoint,
    files: generateFiles,
    operations: [createCache(parts), ...cacheOperations(parts)],
  })
  return definePlugin({
    name: 'cached-contents',
    dialects: [dialect],
    accountFiles: accountFilesOf(cacheFamily, parts.objects),
  })
}
