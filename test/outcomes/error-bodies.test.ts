import { describe, expect, test } from 'vitest'

import { chatOutcome } from '../../plugins/dialects/chat/outcome.ts'
import {
  countOutcome as countContents,
  generateOutcome,
} from '../../plugins/dialects/generate/outcome.ts'
import {
  countOutcome as countMessage,
  messageOutcome,
} from '../../plugins/dialects/messages/outcome.ts'
import { responseOutcome } from '../../plugins/dialects/responses/outcome.ts'
import type { Outcome } from '../../src/contract/outcome.ts'

type Reader = (json: unknown) => Outcome

const readers: [string, Reader][] = [
  ['responses', responseOutcome],
  ['chat', chatOutcome],
  ['messages', messageOutcome],
  ['a count of messages', countMessage],
  ['generate', generateOutcome],
  ['a count of contents', countContents],
]

describe.each(readers)('a 2xx reply of %s', (_name, read) => {
  test.each([
    ['an error', { error: { message: 'overworked' } }],
    ['an error of a relay', { error: { message: 'overworked' }, user_id: 'u', id: 'gen-1' }],
    ['an error in a list', [{ error: { message: 'overworked' } }]],
    ['the text of an error', { error: 'overworked' }],
  ])('that is but %s has failed', (_what, json) => {
    const { status, fault, produced, error } = read(json)
    expect({ status, fault, produced }).toEqual({ status: 'failed', fault: 'account' })
    expect(error).toMatchObject({ code: 'upstream_rejected', message: 'overworked' })
    expect(error?.status).toBeGreaterThanOrEqual(500)
  })

  test('that is an error without a word has failed all the same', () => {
    const { status, error } = read({ error: {} })
    expect({ status, message: error?.message }).toEqual({
      status: 'failed',
      message: 'The upstream reported an error.',
    })
  })

  test.each([null, 'text', 7, true, [], {}, { error: null }, { error: '' }, { error: false }])(
    'that is no error at all has not failed: %j',
    (json) => {
      expect(read(json).status).not.toBe('failed')
      expect(read(json).error).toBeUndefined()
    },
  )
})

const said = (reader: Reader, error: object) => {
  const { httpStatus, fault, error: told } = reader({ error })
  expect(told?.status).toBe(httpStatus)
  return `${httpStatus} ${fault}`
}

test.each([responseOutcome, chatOutcome])('OpenAI’s words say what kind of error it is', (read) => {
  expect(said(read, { code: 429, message: 'x' })).toBe('429 account')
  expect(said(read, { code: '503', message: 'x' })).toBe('503 account')
  expect(said(read, { type: 'invalid_request_error', code: null })).toBe('400 caller')
  expect(said(read, { type: 'invalid_request_error', code: 'invalid_api_key' })).toBe('401 account')
  expect(said(read, { code: 'rate_limit_exceeded' })).toBe('429 account')
  expect(said(read, { type: 'server_error' })).toBe('500 account')
  expect(said(read, { code: 200 })).toBe('502 account')
})

test('Anthropic’s words say what kind of error it is', () => {
  for (const read of [messageOutcome, countMessage]) {
    expect(said(read, { type: 'overloaded_error' })).toBe('529 account')
    expect(said(read, { type: 'authentication_error' })).toBe('401 account')
    expect(said(read, { type: 'invalid_request_error' })).toBe('400 caller')
    expect(said(read, { type: 'something_new' })).toBe('502 account')
  }
})

test('Google’s code says what kind of error it is', () => {
  for (const read of [generateOutcome, countContents]) {
    expect(said(read, { code: 429, status: 'RESOURCE_EXHAUSTED' })).toBe('429 account')
    expect(said(read, { code: 400, status: 'INVALID_ARGUMENT' })).toBe('400 caller')
    expect(said(read, { code: 7 })).toBe('502 account')
  }
})
