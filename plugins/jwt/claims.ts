import type { JWTPayload } from 'jose'

import { isObject } from '../../src/lib/json/object.ts'

/**
 * The value of a claim: `sub`, or `realm_access.roles` for a member of an object. A claim may have dots in its
 * name.
 */
export function claimAt(payload: JWTPayload, path: string): unknown {
  if (Object.hasOwn(payload, path)) return payload[path]
  let value: unknown = payload
  for (const name of path.split('.')) {
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

/** Where the models of a token are. */
interface ModelsSource {
  readonly modelsClaim?: string | undefined
  readonly models: readonly string[]
}

/** The models that a token allows. A claim of another form than a list or a text allows none. */
export function modelsOf(
  payload: JWTPayload,
  { modelsClaim, models }: ModelsSource,
): readonly string[] {
  const claimed = modelsClaim === undefined ? undefined : claimAt(payload, modelsClaim)
  if (claimed === undefined) return models
  const names = typeof claimed === 'string' ? claimed.split(' ') : claimed
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string' && name !== '') : []
}
