import { expect, test } from 'vitest'

import { decode } from './codec.ts'

const tools = [
  {
    functionDeclarations: [
      { name: 'a', description: 'Does a.', parameters: { type: 'OBJECT', properties: {} } },
      { name: 'b', parametersJsonSchema: { type: 'object', properties: { type: { const: 'B' } } } },
    ],
  },
  { functionDeclarations: [{ name: 'c' }] },
]

test('a client that declares functions in both forms of schema has them as tools', () => {
  expect(decode({ tools }).tools).toEqual([
    {
      kind: 'function',
      name: 'a',
      description: 'Does a.',
      parameters: { type: 'object', properties: {} },
    },
    {
      kind: 'function',
      name: 'b',
      parameters: { type: 'object', properties: { type: { const: 'B' } } },
    },
    { kind: 'function', name: 'c' },
  ])
})

test('a client that sends one tool without a list is understood', () => {
  const { tools: read } = decode({ tools: { function_declarations: [{ name: 'a' }] } })
  expect(read).toEqual([{ kind: 'function', name: 'a' }])
})

test.each([
  [{ mode: 'AUTO' }, { mode: 'auto' }, undefined],
  [{ mode: 'NONE' }, { mode: 'none' }, undefined],
  [{ mode: 'ANY' }, { mode: 'required' }, undefined],
  [{ mode: 'VALIDATED' }, { mode: 'auto' }, undefined],
  [{ mode: 'MODE_UNSPECIFIED' }, undefined, undefined],
  [{ mode: 'any', allowedFunctionNames: ['b'] }, { mode: 'required', only: ['b'] }, undefined],
  [
    { mode: 'ANY', allowedFunctionNames: ['a', 'b'] },
    { mode: 'required', only: ['a', 'b'] },
    'toolConfig.functionCallingConfig.allowedFunctionNames',
  ],
  [
    { mode: 'VALIDATED', allowedFunctionNames: ['a'] },
    { mode: 'auto', only: ['a'] },
    'toolConfig.functionCallingConfig.allowedFunctionNames',
  ],
])('a client that chooses %j means %j', (functionCallingConfig, choice, subset) => {
  const request = decode({ tools, toolConfig: { functionCallingConfig } })
  expect(request.toolChoice).toEqual(choice)
  expect(request.fields.tool_subset).toBe(subset)
})
