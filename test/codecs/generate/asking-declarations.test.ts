import { expect, test } from 'vitest'

import type { Tool } from '../../../src/generate/tools.ts'
import { reply } from './chunks.ts'
import { encode, read } from './codec.ts'

function tool(name: string): Tool {
  return { kind: 'function', name }
}

test('tools keep their JSON schema, and a name that is not taken is changed there and back', () => {
  const parameters = { type: 'object', properties: { a: { $ref: '#/$defs/a' } } }
  const tools: Tool[] = [
    { kind: 'function', name: 'get weather!', description: 'Tells.', parameters },
    tool('plain'),
  ]
  expect(encode({ tools }).tools).toEqual([
    {
      functionDeclarations: [
        { name: '_get_weather_', description: 'Tells.', parametersJsonSchema: parameters },
        { name: 'plain' },
      ],
    },
  ])
  const answer = reply([{ functionCall: { name: '_get_weather_' } }])
  expect(read(answer, { tools })).toMatchObject({
    choices: [{ content: [{ name: 'get weather!', arguments: '{}' }] }],
  })
})

test.each([
  [{ mode: 'auto' }, { mode: 'AUTO' }, ['a', 'b']],
  [{ mode: 'none' }, { mode: 'NONE' }, ['a', 'b']],
  [{ mode: 'required' }, { mode: 'ANY' }, ['a', 'b']],
  [{ mode: 'required', only: ['b'] }, { mode: 'ANY', allowedFunctionNames: ['b'] }, ['a', 'b']],
  [{ mode: 'auto', only: ['b'] }, { mode: 'AUTO' }, ['b']],
] as const)('a choice of %j is asked for as %j', (toolChoice, calling, offered) => {
  const body = encode({ tools: [tool('a'), tool('b')], toolChoice })
  expect(body.toolConfig).toEqual({ functionCallingConfig: calling })
  expect(body.tools).toEqual([{ functionDeclarations: offered.map((name) => ({ name })) }])
})

test('a choice without tools, and tools of free text, are not asked for', () => {
  const body = encode({ toolChoice: { mode: 'required' }, tools: [{ kind: 'custom', name: 'c' }] })
  expect(body).not.toHaveProperty('tools')
  expect(body).not.toHaveProperty('toolConfig')
})

test('older models are told in words to answer in JSON while they have tools', () => {
  const asked = {
    tools: [tool('a')],
    output: { kind: 'schema', schema: { type: 'object' } },
  } as const
  expect(encode(asked).generationConfig).toMatchObject({ responseMimeType: 'application/json' })
  const older = encode(asked, 'gemini-2.5-flash')
  expect(older).not.toHaveProperty('generationConfig')
  expect(older.systemInstruction).toEqual({
    parts: [{ text: expect.stringContaining('{"type":"object"}') as string }],
  })
})
