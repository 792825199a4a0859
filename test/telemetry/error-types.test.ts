import { describe, expect, test } from 'vitest'

import { type ErrorCode, GatewayError, errorTable } from '../../src/contract/errors.ts'
import type { Ended } from '../../src/contract/exchange.ts'
import type { Outcome, Summary } from '../../src/contract/outcome.ts'
import {
  attemptErrorType,
  errorWords,
  exchangeErrorType,
  statusType,
  streamEndOf,
} from '../../src/telemetry/error-types.ts'

const failed = (error: GatewayError, more: Partial<Outcome> = {}): Outcome => ({
  status: 'failed',
  fault: 'account',
  error,
  ...more,
})

function network(code: string, of: ErrorCode = 'upstream_unreachable'): Outcome {
  return failed(new GatewayError(of, 'x', { cause: Object.assign(new Error('x'), { code }) }))
}

function answered(status: number, error: object): Outcome {
  const upstream = { status, headers: {}, body: Buffer.from(''), json: { error } }
  return failed(new GatewayError('upstream_rejected', 'x', { status, upstream }), {
    httpStatus: status,
  })
}

const bare = (of: ErrorCode) => failed(new GatewayError(of, 'x'))

describe('why an attempt failed', () => {
  test.each([
    ['timeout.connect', network('UND_ERR_CONNECT_TIMEOUT', 'upstream_timeout')],
    ['timeout.first_byte', bare('upstream_timeout')],
    ['dns', network('ENOTFOUND')],
    ['tls', network('CERT_HAS_EXPIRED')],
    ['tls', network('ERR_TLS_CERT_ALTNAME_INVALID')],
    ['connection_refused', network('ECONNREFUSED')],
    ['connection_reset', network('UND_ERR_SOCKET')],
    ['connection_reset', bare('upstream_stream_broken')],
    ['invalid_reply', bare('upstream_invalid_reply')],
    ['drained', bare('draining')],
    ['429', answered(429, { code: 'rate_limit_exceeded' })],
    ['insufficient_quota', answered(429, { code: 'insufficient_quota' })],
    ['content_filter', answered(400, { code: 'content_filter' })],
    ['_OTHER', answered(477, { code: 'made-up' })],
    ['_OTHER', network('EWEIRD')],
  ])('%s', (type, outcome) => {
    expect(attemptErrorType(outcome, { firstByteAt: undefined })).toBe(type)
  })

  test('timeout.idle, after a first byte', () => {
    expect(attemptErrorType(bare('upstream_timeout'), { firstByteAt: 1 })).toBe('timeout.idle')
  })

  test('the code of an error that the caller does not see', () => {
    const hidden = answered(429, { code: 'insufficient_quota' }).error!
    const shown = new GatewayError('upstream_account_refused', 'x', { cause: hidden })
    expect(attemptErrorType(failed(shown, { httpStatus: 429 }), undefined)).toBe(
      'insufficient_quota',
    )
  })

  test('a cause that is its own cause ends the search', () => {
    const cause: Error & { cause?: unknown } = new Error('x')
    cause.cause = cause
    const error = new GatewayError('upstream_unreachable', 'x', { cause })
    expect(attemptErrorType(failed(error), undefined)).toBe('_OTHER')
  })

  test('no reason for success, nor for a client that left', () => {
    expect(attemptErrorType({ status: 'completed', fault: 'none' }, undefined)).toBeUndefined()
    expect(attemptErrorType({ status: 'cancelled', fault: 'client' }, undefined)).toBeUndefined()
  })
})

const ended = (progress: object) => ({ progress }) as Ended
const summary = (status: number, end: Summary['end'] = 'complete'): Summary => ({
  status,
  end,
  durationMs: 1,
})

describe('why an exchange failed', () => {
  const typeOf = (error: GatewayError, more: object = {}) =>
    exchangeErrorType(ended({ error, ...more }), summary(error.status))

  test.each([
    ['invalid_value', 'missing_required_parameter'],
    ['401', 'unauthenticated'],
    ['404', 'model_not_found'],
    ['413', 'request_too_large'],
    ['500', 'internal_error'],
    ['previous_response_not_found', 'previous_response_not_found'],
    ['previous_response_lookup_unavailable', 'previous_response_lookup_unavailable'],
    ['drained', 'draining'],
    ['no_account', 'no_account_available'],
  ] as const)('%s for %s', (type, code) => {
    expect(typeOf(new GatewayError(code, 'x'))).toBe(type)
  })

  test('circuit_open if a circuit keeps an account out', () => {
    const error = new GatewayError('no_account_available', 'x')
    const excluded = [{ account: 'a', by: 'account-health', kind: 'circuit', reason: 'open' }]
    expect(typeOf(error, { routing: { excluded } })).toBe('circuit_open')
  })

  test('that of the attempt, if an account is the reason', () => {
    const outcome = network('ECONNREFUSED')
    const error = new GatewayError('upstream_unreachable', 'x')
    expect(typeOf(error, { outcome })).toBe('connection_refused')
  })

  test('nothing for success, nor for a client that left', () => {
    expect(exchangeErrorType(ended({}), summary(200))).toBeUndefined()
    const error = new GatewayError('client_closed_request', 'x')
    expect(exchangeErrorType(ended({ error }), summary(499, 'client_gone'))).toBeUndefined()
  })

  test('every error of the gateway has a type of the closed list', () => {
    for (const code of Object.keys(errorTable) as ErrorCode[]) {
      const type = typeOf(new GatewayError(code, 'x'))
      expect(type === undefined || /^\d{3}$/.test(type) || isWord(type), code).toBe(true)
    }
  })
})

test('no provider can make up a status', () => {
  const types = new Set(Array.from({ length: 1_000 }, (_, status) => statusType(status)))
  expect(types.size).toBeLessThan(60)
})

test('a stream says how it ended', () => {
  const endOf = (error: ErrorCode | undefined, end: Summary['end']) =>
    streamEndOf(ended(error ? { error: new GatewayError(error, 'x') } : {}), summary(200, end))
  expect(endOf(undefined, 'complete')).toBe('completed')
  expect(endOf(undefined, 'client_gone')).toBe('client_cancelled')
  expect(endOf('draining', 'broken')).toBe('drained')
  expect(endOf('upstream_stream_broken', 'broken')).toBe('error')
})

function isWord(type: string): boolean {
  return (errorWords as readonly string[]).includes(type)
}
