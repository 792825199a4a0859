import { describe, expect, it } from 'vitest'

import type { AssistantPart } from '../../../src/generate/content.ts'
import type { Reasoning, Turn } from '../../../src/generate/request.ts'
import { write } from './codec.ts'

function thinkingOf(reasoning: Reasoning, model: string, maxOutputTokens?: number) {
  const limit = maxOutputTokens === undefined ? {} : { maxOutputTokens }
  const body = write({ reasoning, ...limit }, model)
  return { thinking: body.thinking, config: body.output_config, most: body.max_tokens }
}

describe('an account that is to think', () => {
  it.each<[string, Reasoning, object]>([
    ['claude-sonnet-4-5', { effort: 'minimal' }, { type: 'enabled', budget_tokens: 1024 }],
    ['claude-sonnet-4-5', { effort: 'high' }, { type: 'enabled', budget_tokens: 10_240 }],
    ['claude-sonnet-4-5', { budget: 3000 }, { type: 'enabled', budget_tokens: 3000 }],
    ['claude-sonnet-4-5', { budget: 100 }, { type: 'enabled', budget_tokens: 1024 }],
    ['claude-sonnet-4-5', { effort: 'none' }, { type: 'disabled' }],
    ['claude-opus-4-6', { budget: 3000 }, { type: 'enabled', budget_tokens: 3000 }],
    ['claude-opus-4-6', { effort: 'low' }, { type: 'adaptive', display: 'summarized' }],
    ['claude-opus-4-8', { budget: 3000 }, { type: 'adaptive', display: 'summarized' }],
    ['claude-opus-4-8', { effort: 'low', show: false }, { type: 'adaptive', display: 'omitted' }],
    ['claude-opus-5', { budget: 0 }, { type: 'disabled' }],
    ['claude-sonnet-5-5', { effort: 'none' }, { type: 'between_tools' }],
    ['another-model', { effort: 'low' }, { type: 'enabled', budget_tokens: 2048 }],
  ])('has %s told %j', (model, reasoning, thinking) => {
    expect(thinkingOf(reasoning, model).thinking).toEqual(thinking)
  })

  it.each<[string, Reasoning, string]>([
    ['claude-opus-4-6', { effort: 'xhigh' }, 'high'],
    ['claude-opus-4-8', { effort: 'xhigh' }, 'xhigh'],
    ['claude-opus-4-8', { effort: 'minimal' }, 'low'],
    ['claude-opus-4-8', { budget: 12_000 }, 'high'],
    ['claude-opus-4-8', { budget: 6000 }, 'medium'],
    ['claude-opus-4-8', { budget: 2000 }, 'low'],
    // It always thinks.
    ['claude-opus-5-5', { effort: 'none' }, 'low'],
  ])('has %s put an effort into it: %j', (model, reasoning, effort) => {
    expect(thinkingOf(reasoning, model).config).toEqual({ effort })
  })

  it('is told nothing about thoughts by a client that says nothing', () => {
    expect(write({}).thinking).toBeUndefined()
    expect(thinkingOf({ show: false }, 'claude-opus-4-8').thinking).toBeUndefined()
    expect(thinkingOf({ effort: 'high' }, 'claude-3-5-haiku-latest').thinking).toBeUndefined()
  })

  it('always has room to answer after its thoughts', () => {
    const short = thinkingOf({ effort: 'high' }, 'claude-sonnet-4-5', 5000)
    expect(short.thinking).toEqual({ type: 'enabled', budget_tokens: 4000 })
    expect(short.most).toBe(5000)
    expect(thinkingOf({ effort: 'high' }, 'claude-sonnet-4-5', 1024).thinking).toBeUndefined()
    expect(thinkingOf({ effort: 'high' }, 'claude-sonnet-4-5').most).toBe(64_000)
    const unlimited = thinkingOf({ effort: 'high' }, 'another-model')
    expect(unlimited.most).toBe(4096 + 10_240)
  })

  it('gets no sampling settings beside thoughts', () => {
    const sampling = { temperature: 0.2, topP: 0.5, topK: 3 }
    const body = write({ sampling, reasoning: { effort: 'low' } })
    expect(Object.keys(body)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/temperature|top_/)]),
    )
    const off = write({ sampling, reasoning: { effort: 'none' } }, 'another-model')
    expect(off).toMatchObject({ temperature: 0.2, top_p: 0.5, top_k: 3 })
  })

  it('does not think where it has to call a tool or to go on from a begun answer', () => {
    const tools = [{ kind: 'function', name: 'weather' }] as const
    const reasoning = { effort: 'high' } as const
    for (const model of ['claude-sonnet-4-5', 'claude-opus-4-8', 'another-model']) {
      const forced = write({ tools, toolChoice: { mode: 'required' }, reasoning }, model)
      expect(forced.tool_choice).toEqual({ type: 'any' })
      expect(forced.thinking).toBeUndefined()
    }
    const begun = write({
      reasoning,
      fields: { assistant_prefill: 'messages' },
      turns: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Roses' }] },
      ],
    })
    expect(begun.thinking).toBeUndefined()
    expect(begun.messages.at(-1)?.role).toBe('assistant')
  })

  it('thinks on in a tool loop only where the loop has its own thoughts', () => {
    const loop = (...thoughts: AssistantPart[]): Turn[] => [
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        content: [
          ...thoughts,
          { type: 'tool_call', id: 'a', name: 'weather', kind: 'function', arguments: '{}' },
        ],
      },
      { role: 'tool', results: [{ callId: 'a', content: [] }] },
    ]
    const thought = (dialect: string): AssistantPart => ({
      type: 'reasoning',
      form: 'summary',
      text: 'Hm.',
      signature: { dialect, value: 'c2ln' },
    })
    const reasoning = { effort: 'low' } as const
    const enabled = { type: 'enabled', budget_tokens: 2048 }
    expect(write({ reasoning, turns: loop(thought('messages')) }).thinking).toEqual(enabled)
    expect(write({ reasoning, turns: loop(thought('responses')) }).thinking).toBeUndefined()
    expect(write({ reasoning, turns: loop() }, 'claude-opus-4-8').thinking).toBeDefined()
  })
})
