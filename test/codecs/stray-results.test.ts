import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../src/lib/json/object.ts'
import type { ToolResult } from '../../src/generate/content.ts'
import type { GenerateRequest } from '../../src/generate/request.ts'
import { codecs, type Name, names } from './samples/index.ts'

const text: ToolResult = { callId: 'zz', content: [{ type: 'text', text: 'broken pipe' }] }
const picture: ToolResult = {
  callId: 'zz',
  name: 'look',
  content: [{ type: 'image', source: { kind: 'data', base64: 'iVBO' }, mediaType: 'image/png' }],
}

/** All that an account is told in a conversation with a result whose call nobody made. */
function toldTo(account: Name, result: ToolResult): string[] {
  const request: GenerateRequest = {
    stream: false,
    turns: [
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'tool', results: [result] },
    ],
    tools: [],
    sampling: {},
    fields: {},
    extras: [],
  }
  const { body } = codecs[account].encodeRequest(request, 'm', () => {})
  return textsIn(body)
}

/** Every text of a conversation, wherever the dialect has it. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return Object.entries(value as JsonObject).flatMap(([name, member]) =>
    typeof member === 'string' && (name === 'text' || name === 'content')
      ? [member]
      : textsIn(member),
  )
}

describe.each(names)('an account of %s', (account) => {
  test('is told in words which call a result is of that it knows nothing of', () => {
    const told = toldTo(account, text).join('\n')
    expect(told).toMatch(/result of .*zz.*:\nbroken pipe/i)
    expect(told).not.toContain('Error')
  })

  test('is told in words that the call failed', () => {
    expect(toldTo(account, { ...text, failed: true }).join('\n')).toMatch(
      /result of .*zz.*:\nError:\s+broken pipe/i,
    )
  })

  test('is told that a call failed which answered with a picture', () => {
    expect(toldTo(account, { ...picture, failed: true }).join('\n')).toMatch(
      /result of .*zz.*:\nError:/i,
    )
  })
})
