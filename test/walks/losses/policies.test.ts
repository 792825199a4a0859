import { describe, expect, test } from 'vitest'

import { ask, receive } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { bodyOf, startMixed } from './mixed.ts'

const foreign = { foreign: { form: form.messages } }

/** What a chat client may say that an account of Messages cannot be told. */
const silent = { prompt_cache_key: 'k' }
const warned = { seed: 7, frequency_penalty: 1 }
const native = { logprobs: true }

describe('drop', () => {
  test.each([{ stream: true }, { stream: false }])(
    'a client is told what was left out, and by its own names (stream: $stream)',
    async ({ stream }) => {
      await using mixed = await startMixed(foreign)

      const response = await ask(mixed.gateway, form.chat, {
        stream,
        fields: { ...silent, ...warned },
      })

      expect(response.status).toBe(200)
      const told = response.headers.get('x-dragoman-losses') ?? ''
      expect(told.split(', ').toSorted()).toEqual(['frequency_penalty', 'seed'])
      expect((await receive(response)).text).toMatch(/"finish_reason":"stop"/)
      const asked = bodyOf(mixed.accounts.foreign)
      expect(asked).not.toHaveProperty('seed')
      expect(asked).not.toHaveProperty('frequency_penalty')
    },
  )
})

describe.each(['native', 'reject'] as const)('%s', (losses) => {
  test('a client that says nothing special is served by an account of another dialect', async () => {
    await using mixed = await startMixed(foreign, { losses })

    const response = await ask(mixed.gateway, form.chat, { stream: false, fields: silent })

    expect(response.status).toBe(200)
    expect(response.headers.get('x-dragoman-account')).toBe('foreign')
  })

  test.each([
    { field: 'seed', fields: { seed: 7 } },
    { field: 'logprobs', fields: native },
  ])('a client is refused where $field would be lost, before anybody is asked', async (one) => {
    await using mixed = await startMixed(foreign, { losses })

    const response = await ask(mixed.gateway, form.chat, { fields: one.fields })

    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect(error).toMatchObject({ param: one.field, code: 400 })
    expect(error['message']).toContain(`\`${one.field}\``)
    expect(mixed.accounts.foreign.requests).toHaveLength(0)
  })

  test('nothing is lost on an account of its own dialect', async () => {
    await using mixed = await startMixed({ own: { form: form.chat } }, { losses })

    const fields = { ...silent, ...warned, ...native }
    const response = await ask(mixed.gateway, form.chat, { stream: false, fields })

    expect(response.status).toBe(200)
    expect(response.headers.has('x-dragoman-losses')).toBe(false)
    expect(bodyOf(mixed.accounts.own)).toMatchObject(fields)
  })
})
