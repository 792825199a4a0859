import { describe, expect, it } from 'vitest'

import { encode, write } from './codec.ts'

describe('an account of messages', () => {
  it('is asked at its only path, streamed where the client wants that', () => {
    const { path, body } = encode({ stream: true }, 'claude-sonnet-4-5')
    expect({ path, model: body.model, stream: body.stream }).toEqual({
      path: '/v1/messages',
      model: 'claude-sonnet-4-5',
      stream: true,
    })
    expect(write({}).stream).toBeUndefined()
  })

  it.each([
    ['claude-3-haiku-20240307', 4096],
    ['claude-3-5-sonnet-20241022', 8192],
    ['claude-3-7-sonnet-20250219', 64_000],
    ['claude-opus-4-20250514', 32_000],
    ['anthropic.claude-opus-4-1-20250805-v1:0', 32_000],
    ['claude-sonnet-4@20250514', 64_000],
    ['claude-haiku-4-5-20251001', 64_000],
    ['anthropic/claude-opus-4.6', 128_000],
    ['claude-sonnet-5-5', 128_000],
    ['another-model', 4096],
  ])('may write as much as %s can where the client set no limit', (model, most) => {
    expect(write({}, model).max_tokens).toBe(most)
  })

  it('keeps to the limit of the client, as far as the model goes', () => {
    expect(write({ maxOutputTokens: 77 }).max_tokens).toBe(77)
    expect(write({ maxOutputTokens: 99_999 }, 'claude-3-haiku-20240307').max_tokens).toBe(4096)
    expect(write({ maxOutputTokens: 99_999 }, 'another-model').max_tokens).toBe(99_999)
  })

  it('gets sampling settings that its model takes', () => {
    const sampling = { temperature: 1.7, topP: 0.9, topK: 40, seed: 1, presencePenalty: 1 }
    expect(write({ sampling }, 'another-model')).toMatchObject({
      temperature: 1,
      top_p: 0.9,
      top_k: 40,
    })
    const both = write({ sampling })
    expect(both).toMatchObject({ temperature: 1, top_k: 40 })
    expect(both.top_p).toBeUndefined()
    const none = write({ sampling }, 'claude-opus-4-8')
    expect(none).not.toHaveProperty('temperature')
    expect(none).not.toHaveProperty('top_k')
    expect(write({ sampling })).not.toHaveProperty('seed')
  })

  it('gets stop sequences that are more than space', () => {
    expect(write({ stop: ['END', '\n\n'] }).stop_sequences).toEqual(['END'])
    expect(write({ stop: ['\n'] }).stop_sequences).toBeUndefined()
  })

  it('is told of the user by an opaque name only', () => {
    const userOf = (endUser: string) => write({ endUser }).metadata as { user_id: string }
    expect(userOf('user_ab12__session_1')).toEqual({ user_id: 'user_ab12__session_1' })
    for (const endUser of ['ada@x.org', '+49 30 123456', '030-123456', 'x'.repeat(300)]) {
      expect(userOf(endUser).user_id).toMatch(/^[0-9a-f]{64}$/)
    }
  })

  it.each([
    ['default', 'standard_only'],
    ['auto', 'auto'],
    ['priority', 'auto'],
    ['flex', undefined],
  ])('serves the tier %s as %s', (serviceTier, tier) => {
    expect(write({ serviceTier }).service_tier).toBe(tier)
  })
})
