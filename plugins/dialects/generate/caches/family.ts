import type { Objects, StoredObject } from '../../../../src/jobs/objects.ts'
import { shownOf } from '../../../../src/jobs/objects.ts'
import { type JsonObject, isObject } from '../../../../src/lib/json/object.ts'
import { type ObjectFamily, showObject } from '../../shared/stored-objects.ts'

/** Dependencies of the operations on caches. */
export interface CachesDependencies {
  readonly objects: Objects
  /** Returns milliseconds since 1970. */
  readonly now: () => number
}

/** The versions in which clients ask for caches. */
export const cachesPath = '/{version:v1beta|v1|v1alpha|v1beta1}/cachedContents'

/** Contents that accounts keep for later requests. `FileFields.idPrefix` of requests for text repeats the prefix. */
export const cacheFamily: ObjectFamily = {
  kind: 'cached-content',
  title: 'CachedContent',
  noun: 'cached content',
  prefix: 'cachedContents/',
  accountPrefix: 'cachedContents/',
  folder: '/v1beta/cachedContents/',
  pattern: `${cachesPath}/{id}`,
  capability: 'stored-cache',
}

/** A cache as clients see it. */
export function showCache(cache: Pick<StoredObject, 'id' | 'shown'>): JsonObject {
  const { id: name, ...shown } = showObject(cacheFamily, cache)
  return { name, ...shown }
}

/** What an account says of a cache, with the client's name of the model and without the account's id. */
export function describedCache(json: unknown, model: unknown): JsonObject {
  const { name: _name, ...shown } = isObject(json) ? json : {}
  return shownOf({ ...shown, model })
}
