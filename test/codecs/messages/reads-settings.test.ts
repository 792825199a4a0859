import { describe, expect, it } from 'vitest'

import { read } from './codec.ts'

describe('a client of messages with settings', () => {
  it('limits and shapes the answer', () => {
    const request = read({
      max_tokens: 300,
      stop_sequences: ['END'],
      temperature: 0.3,
      top_p: 0.9,
      top_k: 40,
      stream: true,
    })
    expect(request).toMatchObject({
      stream: true,
      maxOutputTokens: 300,
      stop: ['END'],
      sampling: { temperature: 0.3, topP: 0.9, topK: 40 },
      fields: { stop: 'stop_sequences', top_k: 'top_k' },
    })
  })

  it('asks for structured output, in the present form or the one of before', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const format = { type: 'json_schema', schema }
    const present = read({ output_config: { format } })
    const before = read({ output_format: format })
    expect(present.output).toEqual({ kind: 'schema', schema })
    expect(before.output).toEqual({ kind: 'schema', schema })
    expect(present.fields).toEqual({ json_schema: 'output_config.format' })
    expect(before.fields).toEqual({ json_schema: 'output_format' })
  })

  it.each([
    [{ thinking: { type: 'enabled', budget_tokens: 2000 } }, { budget: 2000, show: true }],
    [{ thinking: { type: 'adaptive', display: 'omitted' } }, { show: false }],
    [{ thinking: { type: 'disabled' } }, { effort: 'none' }],
    [{ output_config: { effort: 'max' } }, { effort: 'max' }],
    [
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
      { show: true, effort: 'low' },
    ],
  ])('says how much to think: %j', (body, reasoning) => {
    expect(read(body).reasoning).toEqual(reasoning)
  })

  it('names the fields in which it said so', () => {
    expect(read({ thinking: { type: 'enabled', budget_tokens: 2000 } }).fields).toEqual({
      reasoning_budget: 'thinking.budget_tokens',
    })
    expect(read({ output_config: { effort: 'low' } }).fields).toEqual({
      reasoning_effort: 'output_config.effort',
    })
  })

  it('tells its user, and which tier it pays for', () => {
    const request = read({ metadata: { user_id: 'u-1' }, service_tier: 'standard_only' })
    expect(request).toMatchObject({
      endUser: 'u-1',
      serviceTier: 'default',
      fields: { end_user: 'metadata.user_id', service_tier: 'service_tier' },
    })
  })

  it('uses no feature by what changes nothing', () => {
    const { fields, extras } = read({
      service_tier: 'auto',
      stop_sequences: [],
      tools: [],
      system: null,
      thinking: null,
      top_k: null,
    })
    expect({ fields, extras }).toEqual({ fields: {}, extras: [] })
  })

  it('offers tools and says how they are to be called', () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    const request = read({
      tools: [{ name: 'weather', description: 'Tells.', input_schema: schema, strict: true }],
      tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
    })
    expect(request).toMatchObject({
      tools: [
        {
          kind: 'function',
          name: 'weather',
          description: 'Tells.',
          parameters: schema,
          strict: true,
        },
      ],
      toolChoice: { mode: 'required', only: ['weather'] },
      parallelToolCalls: false,
      fields: {
        strict_tools: 'tools[0].strict',
        parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
      },
    })
  })

  it.each([
    ['auto', { mode: 'auto' }],
    ['any', { mode: 'required' }],
    // LiteLLM's adapter raises here.
    ['none', { mode: 'none' }],
  ])('may choose tools by %s', (type, toolChoice) => {
    expect(read({ tool_choice: { type } }).toolChoice).toEqual(toolChoice)
  })
})
