import { describe, expect, test } from 'vitest'

import { sessionAffinity, withAffinity } from '../../src/kit/affinity-keys.ts'

describe('the headers of a session', () => {
  test('are read with the most telling first', () => {
    const headers = {
      'x-session-affinity': 'affine',
      'session-id': 'session',
      'x-claude-code-session-id': 'code',
      'user-agent': 'codex',
    }

    expect(sessionAffinity(headers)).toEqual(['session:code', 'session:session', 'session:affine'])
  })

  test('say the same only once', () => {
    expect(sessionAffinity({ 'session-id': 's', 'x-session-affinity': ' s ' })).toEqual([
      'session:s',
    ])
  })

  test('may be absent or empty', () => {
    expect(sessionAffinity({ 'session-id': ' ' })).toEqual([])
    expect(sessionAffinity({})).toEqual([])
  })
})

test.each([undefined, null, '', '  ', 7, { id: 'x' }])('%j is no affinity', (value) => {
  const known = ['cache:notes']

  expect(withAffinity(known, 'session', value)).toBe(known)
})
