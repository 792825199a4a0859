import { describe, expect, test } from 'vitest'

import { apiKeys } from '../../plugins/api-keys.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import type { Identified } from '../../src/contract/exchange.ts'
import type { PipelineServices } from '../../src/runtime/pipeline.ts'
import type { ApiKey } from '../../src/stores/key-ring.ts'

const known: ApiKey = { id: 'team', disabled: false }

type KeyRing = PipelineServices['keys']

function authenticate(ring: Partial<KeyRing>, credential: string | undefined) {
  const keys: KeyRing = { find: () => undefined, ...ring }
  return apiKeys({ keys }).onAuthenticate?.({ exchange: {} as Identified, credential })
}

function thrownBy(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  return undefined
}

describe('while keys cannot be read', () => {
  test('nobody can tell an unknown one from a new one', () => {
    const error = thrownBy(() => authenticate({ isStale: true }, 'new-secret'))

    expect(GatewayError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({
      code: 'lookup_unavailable',
      status: 503,
      retry: true,
      headers: { 'retry-after': '1' },
    })
  })

  test('a known one lets its holder in', () => {
    const caller = authenticate({ isStale: true, find: () => known }, 'secret')

    expect(caller).toMatchObject({ keyId: 'team' })
  })

  test.each<['disabled' | 'expired', Partial<ApiKey>]>([
    ['disabled', { disabled: true }],
    ['expired', { expiresAt: Date.now() - 1 }],
  ])('one that was known to be %s does not', (refused, state) => {
    const find = () => ({ ...known, ...state })

    expect(authenticate({ isStale: true, find }, 'secret')).toEqual({ refused, keyId: 'team' })
  })

  test('a client without any is told that it needs one', () => {
    expect(authenticate({ isStale: true }, undefined)).toBeUndefined()
  })
})

test.each([false, undefined])('otherwise an unknown key is refused (isStale: %s)', (isStale) => {
  const ring = isStale === undefined ? {} : { isStale }

  expect(authenticate(ring, 'unknown')).toBeUndefined()
})

test.each([
  [{ explain: true }, true],
  [{ explain: false }, false],
  [{}, false],
])('a key with %j may be told how its calls are routed: %s', (setting, mayExplain) => {
  const caller = authenticate({ find: () => ({ ...known, ...setting }) }, 'secret')

  expect(caller).toMatchObject({ mayExplain })
})
