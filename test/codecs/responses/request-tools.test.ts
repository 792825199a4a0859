import { expect, test } from 'vitest'

import { decode, encodedResult, written } from './codec.ts'
import { reply } from './replies.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' } } }

test('functions and free-text tools are tools of their kinds', () => {
  const { tools, fields } = decode({
    tools: [
      { type: 'function', name: 'weather', description: 'd', parameters, strict: true },
      { type: 'function', name: 'now', parameters: null, strict: null },
      {
        type: 'custom',
        name: 'shout',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
      },
      { type: 'custom', name: 'talk', format: { type: 'text' } },
    ],
  })
  expect(tools).toEqual([
    { kind: 'function', name: 'weather', description: 'd', parameters, strict: true },
    { kind: 'function', name: 'now' },
    { kind: 'custom', name: 'shout', grammar: { syntax: 'lark', definition: 'start: "a"' } },
    { kind: 'custom', name: 'talk' },
  ])
  expect(fields).toEqual({ strict_tools: 'tools[0].strict', custom_tools: 'tools[2]' })
})

test.each([
  ['auto', { mode: 'auto' }, undefined],
  ['none', { mode: 'none' }, undefined],
  ['required', { mode: 'required' }, undefined],
  [{ type: 'function', name: 'f' }, { mode: 'required', only: ['f'] }, undefined],
  [{ type: 'custom', name: 'c' }, { mode: 'required', only: ['c'] }, undefined],
  [
    { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
    { mode: 'auto', only: ['f'] },
    'tool_choice',
  ],
  [
    {
      type: 'allowed_tools',
      tools: [
        { type: 'function', name: 'f' },
        { type: 'custom', name: 'c' },
      ],
    },
    { mode: 'auto', only: ['f', 'c'] },
    'tool_choice',
  ],
])('the choice %j means %j', (tool_choice, toolChoice, subset) => {
  const read = decode({ tool_choice })
  expect(read.toolChoice).toEqual(toolChoice)
  expect(read.fields.tool_subset).toBe(subset)
})

test.each([
  'web_search',
  'web_search_preview',
  'file_search',
  'computer',
  'mcp',
  'code_interpreter',
  'image_generation',
  'local_shell',
  'shell',
  'apply_patch',
  'tool_search',
  'programmatic_tool_calling',
  'whatever',
])('only an account of this dialect has the tool %s', (type) => {
  const { tools, extras } = decode({ tools: [{ type }] })
  expect(tools).toEqual([])
  expect(extras).toMatchObject([{ field: 'tools[0]', treatment: 'native' }])
  expect(decode({ tool_choice: { type } }).extras).toMatchObject([
    { field: 'tool_choice', treatment: 'native' },
  ])
})

test.each([
  [{ defer_loading: true }, 'silent'],
  [{ allowed_callers: ['programmatic'] }, 'warn'],
  [{ async: true }, 'warn'],
])('what %j says of a tool is %s', (said, treatment) => {
  const { extras } = decode({ tools: [{ type: 'function', name: 'f', ...said }] })
  expect(extras).toMatchObject([{ field: `tools[0].${Object.keys(said)[0]}`, treatment }])
})

const inNamespace = {
  tools: [
    {
      type: 'namespace',
      name: 'crm',
      description: 'd',
      tools: [{ type: 'function', name: 'find', parameters }],
    },
  ],
}

test('tools in a namespace have its name in theirs, in definitions, choices and calls', () => {
  const { tools, toolChoice, turns } = decode({
    ...inNamespace,
    tool_choice: { type: 'function', name: 'find', namespace: 'crm' },
    input: [
      { type: 'function_call', call_id: 'a', namespace: 'crm', name: 'find', arguments: '{}' },
    ],
  })
  expect(tools).toMatchObject([{ name: 'crm__find' }])
  expect(toolChoice?.only).toEqual(['crm__find'])
  expect(turns).toMatchObject([{ content: [{ name: 'crm__find' }] }])
})

test('a call of such a tool comes back with its namespace, streamed or not', () => {
  const call = {
    type: 'tool_call',
    id: 'a',
    name: 'crm__find',
    kind: 'function',
    arguments: '{}',
  } as const
  const told = reply([call], { reason: 'tool_calls' })
  const expected = { type: 'function_call', name: 'find', namespace: 'crm' }
  expect(encodedResult(told, inNamespace).body.output).toMatchObject([expected])
  const added = written(told, inNamespace).find(({ type }) => type === 'response.output_item.added')
  expect(added?.item).toMatchObject(expected)
})

test.each([
  [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
  [{ tools: [{ name: 'f' }] }, 'tools[0]'],
  [{ tool_choice: { type: 'function' } }, 'tool_choice.name'],
  [{ tool_choice: 'maybe' }, 'tool_choice'],
  [{ tool_choice: { type: 'allowed_tools' } }, 'tool_choice.tools'],
])('%j is refused with the place of it', (body, param) => {
  expect(() => decode(body)).toThrow(expect.objectContaining({ code: 'invalid_value', param }))
})
