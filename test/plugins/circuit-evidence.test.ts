import { describe, expect, test } from 'vitest'

import { evidenceOf, evidenceRules, isEvidence } from '../../plugins/circuit-breaker/evidence.ts'
import type { Call, Reference } from '../../src/contract/call.ts'
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

  test.each<[string, Outcome]>([
    ['no connection, no answer in time, or a broken stream', failed('account')],
    ...[302, 408, 500, 502, 503, 504, 529].map((status): [string, Outcome] => [
      `status ${status}`,
      failed('account', status),
    ]),
  ])('it does not: %s', (_what, outcome) => {
    expect(evidenceOf(outcome)).toBe('failure')
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

  test('only what is the account’s fault can ever speak against it', () => {
    const faults = evidenceRules
      .filter(({ evidence }) => evidence === 'failure')
      .map(({ fault }) => fault)
    expect(new Set(faults)).toEqual(new Set(['account']))
  })
})

describe('a call', () => {
  const call = (model: string, ...uses: Reference['use'][]): Call => ({
    model,
    stream: false,
    refersTo: uses.map((use) => ({ kind: 'response', id: 'resp_1', use })),
    edits: [],
    losses: [],
  })

  test.each([
    ['counts when it asks a model', call('m'), true],
    ['counts when it continues a chain', call('m', 'chain'), true],
    ['does not count when it looks for what an account has', call('', 'own'), false],
    ['counts when it works on with what an account has', call('m', 'own'), true],
    ['does not count when it names no model', call(''), false],
  ])('%s', (_what, asked, expected) => {
    expect(isEvidence(asked)).toBe(expected)
  })
})
