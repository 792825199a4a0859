import { describe, expect, test } from 'vitest'

import { evidenceOf } from '../../plugins/account-health/recent-attempts.ts'
import { type ErrorCode, GatewayError } from '../../src/contract/errors.ts'
import type { Outcome } from '../../src/contract/outcome.ts'

const failed = (fault: Outcome['fault'], httpStatus?: number): Outcome => ({
  status: 'failed',
  fault,
  ...(httpStatus !== undefined && { httpStatus }),
})

describe('what an attempt says about its account', () => {
  test.each<[string, Outcome]>([
    ['a reply', { status: 'completed', fault: 'none' }],
    ['a reply that was cut short by its limit', { status: 'incomplete', fault: 'none' }],
  ])('it works: %s', (_what, outcome) => {
    expect(evidenceOf(outcome)).toBe('success')
  })

  test.each([302, 408, 500, 502, 503, 504, 529])('it does not: status %d', (status) => {
    expect(evidenceOf(failed('account', status))).toEqual({ cause: `got ${status}` })
  })

  test.each<[ErrorCode, string]>([
    ['upstream_unreachable', 'found no connection'],
    ['upstream_timeout', 'timed out'],
    ['upstream_stream_broken', 'broke off'],
    ['upstream_invalid_reply', 'got an invalid reply'],
    ['upstream_reply_too_large', 'failed'],
  ])('it does not: %s', (code, cause) => {
    const error = new GatewayError(code, 'No.')
    expect(evidenceOf({ ...failed('account'), error })).toEqual({ cause })
  })

  test.each<[string, Outcome]>([
    ['a response that tells of its own failure', failed('none')],
    ['a response that was cancelled', { status: 'cancelled', fault: 'none' }],
    ['a client that left', { status: 'cancelled', fault: 'client' }],
    ['a defect of the gateway', failed('gateway')],
    ...[400, 404, 409, 413, 422].map((status): [string, Outcome] => [
      `the caller's ${status}`,
      failed('caller', status),
    ]),
    ...[401, 402, 403, 429].map((status): [string, Outcome] => [
      `the account's ${status}`,
      failed('account', status),
    ]),
  ])('nothing: %s', (_what, outcome) => {
    expect(evidenceOf(outcome)).toBe('neutral')
  })
})
