import { describe, expect, it } from 'vitest'

import type { Tool } from '../../../src/generate/tools.ts'
import { neutral, readReply, write } from './codec.ts'

const tool = (name: string, more: object = {}): Tool => ({ kind: 'function', name, ...more })
const plain = (name: string) => ({ name, input_schema: { type: 'object', properties: {} } })

describe('an account that is offered tools', () => {
  it('gets them with an object as what they take', () => {
    const parameters = {
      anyOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'string' } } },
      ],
    }
    const both = { allOf: parameters.anyOf, required: ['b'] }
    const { tools } = write({
      tools: [tool('none'), tool('either', { parameters }), tool('both', { parameters: both })],
    })
    expect(tools).toEqual([
      plain('none'),
      {
        name: 'either',
        input_schema: {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
        },
      },
      {
        name: 'both',
        input_schema: {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          required: ['a', 'b'],
        },
      },
    ])
  })

  it('is held to a strict schema, as far as it can be', () => {
    const parameters = {
      type: 'object',
      properties: { age: { type: 'integer', minimum: 1 } },
      required: ['age'],
    }
    const tools = [tool('person', { parameters, strict: true })]
    expect(write({ tools }).tools).toEqual([
      {
        name: 'person',
        strict: true,
        input_schema: {
          type: 'object',
          properties: { age: { type: 'integer', description: 'Demanded: minimum: 1.' } },
          required: ['age'],
          additionalProperties: false,
        },
      },
    ])
    expect(write({ tools }, 'claude-3-5-sonnet-20241022').tools).toEqual([
      { name: 'person', input_schema: parameters },
    ])
  })

  it.each([
    [{ mode: 'auto' } as const, { type: 'auto' }],
    [{ mode: 'required' } as const, { type: 'any' }],
    [{ mode: 'required', only: ['b'] } as const, { type: 'tool', name: 'b' }],
    [{ mode: 'none' } as const, { type: 'none' }],
  ])('is told which to call: %j', (toolChoice, told) => {
    expect(write({ tools: [tool('a'), tool('b')], toolChoice }).tool_choice).toEqual(told)
  })

  it('gets only those that may be called', () => {
    const tools = [tool('a'), tool('b'), tool('c')]
    const body = write({ tools, toolChoice: { mode: 'required', only: ['a', 'c'] } })
    expect(body).toMatchObject({ tools: [plain('a'), plain('c')], tool_choice: { type: 'any' } })
    expect(() => write({ tools, toolChoice: { mode: 'required', only: ['d'] } })).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'tool_choice' }),
    )
  })

  it('calls one at a time where the client wants that', () => {
    const tools = [tool('a')]
    expect(write({ tools, parallelToolCalls: false }).tool_choice).toEqual({
      type: 'auto',
      disable_parallel_tool_use: true,
    })
    const none = write({ tools, parallelToolCalls: false, toolChoice: { mode: 'none' } })
    expect(none.tool_choice).toEqual({ type: 'none' })
    expect(write({ parallelToolCalls: false }).tool_choice).toBeUndefined()
  })

  it('is asked in words where its model cannot be forced', () => {
    const tools = [tool('a'), tool('b')]
    const body = write({ tools, toolChoice: { mode: 'required', only: ['b'] } }, 'claude-opus-5-5')
    expect(body).toMatchObject({
      tools: [plain('b')],
      tool_choice: { type: 'auto' },
      system: [{ text: 'Call the tool `b` before you answer.' }],
    })
  })

  it('knows the tools that were called before, and cannot call them', () => {
    const body = write({
      turns: [
        {
          role: 'assistant',
          content: [{ type: 'tool_call', id: '1', name: 'old', kind: 'function', arguments: '{}' }],
        },
      ],
    })
    expect(body).toMatchObject({
      tools: [{ name: 'old', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'none' },
    })
  })

  it('gets names that it takes, and the client gets its own back', () => {
    const name = 'mcp.server/tool'
    const { tools } = write({ tools: [tool(name), tool('mcp/server.tool')] })
    const names = (tools as { name: string }[]).map((one) => one.name)
    expect(new Set(names).size).toBe(2)
    for (const one of names) expect(one).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    const reply = {
      type: 'message',
      content: [{ type: 'tool_use', id: 'x', name: names[0], input: {} }],
    }
    const { choices } = readReply(reply, neutral({ tools: [tool(name)] }))
    expect(choices[0]!.content).toMatchObject([{ type: 'tool_call', name }])
  })
})
