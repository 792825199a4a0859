import { describe, expect, it } from 'vitest'

import { read } from './codec.ts'

const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] })

describe('what only messages has', () => {
  it.each([
    [{ container: 'container_1' }, 'container'],
    [{ mcp_servers: [{ name: 'x' }] }, 'mcp_servers'],
    [{ inference_geo: 'eu' }, 'inference_geo'],
    [{ thread: { type: 'create' } }, 'thread'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ tools: [{ type: 'web_search_20260318', name: 'web_search' }] }, 'tools[0]'],
    [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, 'tools[0]'],
    [user({ type: 'container_upload', file_id: 'f' }), 'messages[0].content[0]'],
    [
      { messages: [{ role: 'assistant', content: [{ type: 'server_tool_use', id: 'x' }] }] },
      'messages[0].content[0]',
    ],
  ])('needs an account of its own: %j', (body, field) => {
    expect(read(body).extras).toMatchObject([{ field, treatment: 'native' }])
  })

  it.each([
    [{ speed: 'fast' }, 'speed'],
    [{ context_management: { edits: [] } }, 'context_management'],
    [{ output_config: { task_budget: 1 } }, 'output_config.task_budget'],
    [{ a_new_field: 1 }, 'a_new_field'],
    [{ diagnostics: { previous_message_id: 'm' } }, 'diagnostics'],
    [{ tools: [{ name: 't', input_examples: [{}] }] }, 'tools[0].input_examples'],
    [
      { tools: [{ name: 't', allowed_callers: ['code_execution_20260120'] }] },
      'tools[0].allowed_callers',
    ],
    [{ billing_policy: { bill_to: 'user_profile' } }, 'billing_policy.bill_to'],
    [{ thinking: { type: 'between_tools' } }, 'thinking.type'],
  ])('is dropped and told: %j', (body, field) => {
    expect(read(body).extras).toMatchObject([{ field, treatment: 'warn' }])
  })

  it.each([
    [{ cache_control: { type: 'ephemeral' } }, 'cache_control'],
    [
      user({ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }),
      'messages[0].content[0].cache_control',
    ],
    [{ tools: [{ name: 't', defer_loading: true }] }, 'tools[0].defer_loading'],
    [{ tools: [{ name: 't', eager_input_streaming: true }] }, 'tools[0].eager_input_streaming'],
  ])('is a hint that nobody misses: %j', (body, field) => {
    expect(read(body).extras).toMatchObject([{ field, treatment: 'silent' }])
  })

  it.each([
    { speed: 'standard' },
    { billing_policy: { bill_to: 'self' } },
    { tools: [{ name: 't', input_examples: [], allowed_callers: ['direct'] }] },
  ])('is no loss where it is the default: %j', (body) => {
    expect(read(body).extras).toEqual([])
  })

  it('tells a hint once, however many blocks have it', () => {
    const block = { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }
    expect(read(user(block, block, block)).extras).toHaveLength(1)
  })
})

describe('a request that nobody can read', () => {
  it.each([
    [{ messages: [{ content: 'hi' }] }, 'messages[0].role'],
    [{ messages: ['hi'] }, 'messages[0]'],
    [{ messages: [{ role: 'user', content: 7 }] }, 'messages[0].content'],
    [user({ text: 'hi' }), 'messages[0].content[0].type'],
    [user({ type: 'text' }), 'messages[0].content[0].text'],
    [user({ type: 'image', source: { type: 'x' } }), 'messages[0].content[0].source.type'],
    [user({ type: 'tool_result', content: 'x' }), 'messages[0].content[0].tool_use_id'],
    [
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', input: {} }] }] },
      'messages[0].content[0].name',
    ],
    [
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'n', input: '{}' }] },
        ],
      },
      'messages[0].content[0].input',
    ],
    [{ tools: [{ description: 'nameless' }] }, 'tools[0].name'],
    [{ tool_choice: { type: 'some' } }, 'tool_choice.type'],
    [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
    [{ output_config: { effort: 'huge' } }, 'output_config.effort'],
    [{ stop_sequences: [1] }, 'stop_sequences[0]'],
  ])('is answered with the field at fault: %j', (body, param) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ code: 'invalid_value', param }))
  })
})
