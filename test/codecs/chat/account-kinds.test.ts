import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { GenerateRequest, Turn } from '../../../src/generate/request.ts'
import { neutral } from './asking.ts'

const says = (text: string) => [{ type: 'text', text }] as const
const turns: Turn[] = [
  { role: 'system', content: says('Be brief.') },
  { role: 'user', content: says('Hello') },
  { role: 'system', content: says('Be kind.') },
]

function sent(model: string, request: Partial<GenerateRequest>): JsonObject {
  return chatCodec.encodeRequest(neutral(request), model, () => {}).body
}

function rolesIn(body: JsonObject): unknown[] {
  return (body.messages as JsonObject[]).map(({ role }) => role)
}

describe('what the system says', () => {
  test.each(['o1', 'o3-mini', 'openai/o4-mini', 'gpt-5', 'gpt-5-pro', 'gpt-5.1', 'gpt-6-astra'])(
    'is what the developer says to %s, which reasons',
    (model) => {
      expect(rolesIn(sent(model, { turns }))).toEqual(['developer', 'user', 'developer'])
    },
  )

  test.each([
    'gpt-4o',
    'gpt-4.1-mini',
    'gpt-5-chat-latest',
    'gpt-5.2-chat-latest',
    'o1-mini',
    'o1-preview',
    'gpt-oss-20b',
    'gpt-50',
    'my-own-model',
  ])('stays what the system says to %s', (model) => {
    expect(rolesIn(sent(model, { turns }))).toEqual(['system', 'user', 'system'])
  })

  test.each([
    ['o3', 'developer'],
    ['my-own-model', 'system'],
  ])('is told to %s by the %s where it wants JSON, too', (model, role) => {
    const body = sent(model, { output: { kind: 'json' } })

    expect(body.messages).toMatchObject([{ role, content: expect.stringContaining('JSON') }, {}])
  })
})

describe('the user behind a client', () => {
  test.each(['gpt-4o', 'openai/o3', 'chatgpt-4o-latest', 'gpt-5.1'])(
    'is named to %s in the field that OpenAI has for it now',
    (model) => {
      const body = sent(model, { endUser: 'u' })

      expect(body.safety_identifier).toBe('u')
      expect(body).not.toHaveProperty('user')
    },
  )

  test('is named to other models in the field of before as well', () => {
    const endUser = 'u'.repeat(65)
    const body = sent('my-own-model', { endUser })

    expect(body.safety_identifier).toMatch(/^[0-9a-f]{64}$/)
    expect(body.user).toBe(body.safety_identifier)
    expect(sent('my-own-model', {})).not.toHaveProperty('user')
  })
})
