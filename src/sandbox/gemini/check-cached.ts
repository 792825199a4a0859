import type { Account } from '../accounts.ts'
import { type JsonObject, isGiven, textOf } from '../json.ts'
import { Problem, badRequest } from '../problem.ts'
import type { StoredCache } from '../stored.ts'

/** Finds a cached content by its name. Throws Google's 403 for one that this account does not have, or no longer. */
export function checkCached(account: Account, name: string): StoredCache {
  const [, id = ''] = /^cachedContents\/(.+)$/.exec(name) ?? []
  const cache = account.caches.get(id)
  if (cache && cache.expiresAt > Date.now()) return cache
  throw new Problem(403, 'CachedContent not found (or permission denied)')
}

/** The cached content that a request for text names. Throws unless Google accepts it there. */
export function cachedOf(body: JsonObject, account: Account, model: string) {
  if (!isGiven(body['cachedContent'])) return undefined
  const cache = checkCached(account, textOf(body['cachedContent']))
  if (cache.model !== `models/${model}`)
    throw badRequest(
      `Model used by GenerateContent request (models/${model}) and CachedContent (${cache.model}) has to be the same.`,
    )
  if (['systemInstruction', 'tools', 'toolConfig'].some((member) => isGiven(body[member])))
    throw badRequest(
      'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.',
    )
  return cache
}
