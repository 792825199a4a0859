import type { Account } from '../accounts.ts'
import { ruleFault } from '../fault.ts'
import { newId } from '../ids.ts'
import { type JsonObject, isGiven, objectOf, objectsOf, textOf } from '../json.ts'
import { badRequest } from '../problem.ts'
import type { Call, Endpoint, Reply } from '../provider.ts'
import { integer, object, string } from '../shape.ts'
import type { StoredCache } from '../stored.ts'
import { countTokens } from '../text/words.ts'
import { camelKeys } from './camel-keys.ts'
import { checkContents } from './check-contents.ts'
import { checkCached } from './check-cached.ts'
import { cacheMembers } from './check-request.ts'
import { gemini } from './provider.ts'
import { readGenerateRequest } from './read-request.ts'

const all = /^\/v1(?:beta|alpha)?\/cachedContents$/
const one = /^\/v1(?:beta|alpha)?\/cachedContents\/(?<id>[^/]+)$/

/** `/v1beta/cachedContents` and below, for the account that has them. */
export const cachedContents: Endpoint[] = [
  { provider: gemini, method: 'POST', path: all, hasBody: true, answer: create },
  { provider: gemini, method: 'GET', path: all, hasBody: false, answer: list },
  { provider: gemini, method: 'GET', path: one, hasBody: false, answer: retrieve },
  { provider: gemini, method: 'PATCH', path: one, hasBody: true, answer: change },
  { provider: gemini, method: 'DELETE', path: one, hasBody: false, answer: remove },
]

const ttl = string({ pattern: /^\d+(?:\.\d{1,9})?s$/ })
const expireTime = string({ pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/ })

const createRequest = object({
  required: { model: string({ pattern: /^models\/./ }) },
  optional: { ...cacheMembers, ttl, expireTime, displayName: string({ max: 128 }) },
})

const changeRequest = object({ optional: { ttl, expireTime } })

const usualSeconds = 3_600

function create({ account, body: raw }: Call): Reply {
  const body = objectOf(camelKeys(raw))
  createRequest(body, [])
  if (!['contents', 'systemInstruction', 'tools'].some((name) => isGiven(body[name])))
    throw badRequest('CachedContent has no contents, system instruction or tools.')
  checkContents(objectsOf(body['contents']), account)
  const now = Date.now()
  const { inputText } = readGenerateRequest(textOf(body['model']), body)
  const cache: StoredCache = {
    id: newId(''),
    model: textOf(body['model']),
    displayName: textOf(body['displayName']),
    tokens: countTokens(inputText),
    createdAt: now,
    updatedAt: now,
    expiresAt: endOf(body, now) ?? now + usualSeconds * 1_000,
  }
  account.caches.put(cache.id, cache, 1024 + inputText.length)
  return { json: render(cache) }
}

/** Its time to live, or its end. Throws a 400 for both. */
function endOf(body: JsonObject, now: number): number | undefined {
  const [seconds, time] = [body['ttl'], body['expireTime']]
  if (isGiven(seconds) && isGiven(time))
    throw ruleFault([], "oneof field 'expiration' is already set. Cannot set 'ttl'")
  if (isGiven(seconds)) return now + Number.parseFloat(textOf(seconds)) * 1_000
  return isGiven(time) ? Date.parse(textOf(time)) : undefined
}

function list({ account, query }: Call): Reply {
  const size = Number(query.get('pageSize') || 50)
  integer({ min: 0, max: 1_000 })(size, ['page_size'])
  const live = [...account.caches.values()].filter(isLive)
  const token = query.get('pageToken')
  const from = token ? live.findIndex(({ id }) => id === token) + 1 : 0
  const page = live.slice(from, from + size)
  const next = live.length > from + size ? { nextPageToken: page.at(-1)?.id } : {}
  return { json: { cachedContents: page.map(render), ...next } }
}

function retrieve({ account, params }: Call): Reply {
  return { json: render(find(account, params)) }
}

function change({ account, params, body: raw }: Call): Reply {
  const body = objectOf(camelKeys(raw))
  changeRequest(body, [])
  const cache = find(account, params)
  const now = Date.now()
  cache.expiresAt = endOf(body, now) ?? cache.expiresAt
  cache.updatedAt = now
  return { json: render(cache) }
}

function remove({ account, params }: Call): Reply {
  account.caches.delete(find(account, params).id)
  return { json: {} }
}

function find(account: Account, params: Record<string, string>): StoredCache {
  return checkCached(account, `cachedContents/${params['id'] ?? ''}`)
}

function isLive({ expiresAt }: StoredCache): boolean {
  return expiresAt > Date.now()
}

function render(cache: StoredCache): JsonObject {
  const at = (time: number) => new Date(time).toISOString()
  return {
    name: `cachedContents/${cache.id}`,
    model: cache.model,
    displayName: cache.displayName,
    usageMetadata: { totalTokenCount: cache.tokens },
    createTime: at(cache.createdAt),
    updateTime: at(cache.updatedAt),
    expireTime: at(cache.expiresAt),
  }
}
