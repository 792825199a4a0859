import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask, receive } from '../streams/asking.ts'
import { form, forms } from '../streams/forms.ts'
import { rewriting } from './guardrails.ts'

const accounts = [form.responses, form.chat, form.messages, form.generate]

const pairs = forms.flatMap((client) =>
  accounts.map((account) => ({ client, account, pair: `${client.name} on ${account.name}` })),
)

describe.each(dailyRows(pairs))('$pair', ({ client, account }) => {
  test.each([{ stream: true }, { stream: false }])(
    'a guardrail writes other words, also over what deltas break apart (stream: $stream)',
    async ({ stream }) => {
      await using mixed = await startMixed(
        { only: { form: account } },
        { plugins: [rewriting('Hello there', 'Good evening')] },
      )

      const response = await ask(mixed.gateway, client, { stream })
      const { text, reset } = await receive(response)

      expect({ status: response.status, reset }).toEqual({ status: 200, reset: false })
      expect(text).toContain('Good evening')
      expect(text).not.toMatch(/Hello|there/)
      if (stream) expect(text).toMatch(client.success)
      const [line] = await mixed.gateway.logged(1)
      expect(line).toMatchObject({ stream_end: 'complete', level: 'info' })
    },
  )
})

test.each([
  { order: ['Hello', 'Hi', 'Hey'], says: 'Hey there' },
  { order: ['Hi', 'Hey', 'Hello'], says: 'Hello there' },
])('of several guardrails each reads what the one before it wrote: $order', async (one) => {
  const [first = '', second = '', third = ''] = one.order
  await using mixed = await startMixed(
    { only: { form: form.messages } },
    { plugins: [rewriting(first, second), rewriting(second, third)] },
  )

  for (const stream of [true, false]) {
    const { text } = await receive(await ask(mixed.gateway, form.chat, { stream }))
    const said = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, words]) => words).join('')
    expect(said).toBe(one.says)
  }
})
