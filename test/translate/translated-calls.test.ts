import { expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { counters } from '../walks/continuity/counters.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { startMixed } from '../walks/losses/mixed.ts'
import { ask } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'

test('a client’s picture goes to the account that takes its kind, past one that does not', async () => {
  await using mixed = await startMixed({
    particular: { form: form.messages },
    able: { form: form.generate, settings: { priority: 1 } },
  })
  const image = { type: 'image_url', image_url: { url: 'data:image/bmp;base64,Qk0=' } }
  const fields = { messages: [{ role: 'user', content: [image] }] }

  const response = await ask(mixed.gateway, form.chat, { stream: false, fields })

  expect(response.status).toBe(200)
  expect(response.headers.get('x-dragoman-account')).toBe('able')
  expect(mixed.accounts.particular.requests).toHaveLength(0)
})

test('what a stand-in would have lost is not told of the account that answers after it', async () => {
  let isAway = true
  await using mixed = await startMixed({
    own: {
      form: form.chat,
      script: (...exchange) => (isAway ? refusing(500) : serving(form.chat))(...exchange),
    },
    standIn: {
      form: form.messages,
      script: (...exchange) => (isAway ? serving(form.messages) : refusing(500))(...exchange),
    },
  })
  const fields = { prompt_cache_key: 'conversation-1', seed: 7 }
  const asked = { stream: false, fields }
  expect((await ask(mixed.gateway, form.chat, asked)).headers.get('x-dragoman-losses')).toBe('seed')
  isAway = false

  const response = await ask(mixed.gateway, form.chat, asked)

  expect(response.status).toBe(200)
  expect(response.headers.get('x-dragoman-account')).toBe('own')
  expect(mixed.accounts.standIn.requests).toHaveLength(2)
  expect(response.headers.has('x-dragoman-losses')).toBe(false)
})

test('a client whose stop sequences the gateway sees to itself loses nothing by them', async () => {
  await using mixed = await startMixed({ only: { form: form.responses } }, { losses: 'reject' })

  const asked = { stream: false, fields: { stop: [' there'] } }
  const response = await ask(mixed.gateway, form.chat, asked)

  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
})

test.each([
  { reason: 'max_tokens', status: 'incomplete' },
  { reason: 'end_turn', status: 'completed' },
])('a plugin is told that an answer with $reason is $status', async ({ reason, status }) => {
  const told: string[] = []
  const listening = definePlugin({
    name: 'listening',
    onOutcome: ({ outcome }) => void told.push(outcome.status),
  })
  const reply = { ...form.messages.reply, stop_reason: reason }
  await using mixed = await startMixed(
    { only: { form: form.messages, script: answerJson(reply) } },
    { plugins: [listening] },
  )

  expect((await ask(mixed.gateway, form.chat, { stream: false })).status).toBe(200)

  expect(told).toEqual([status])
})

test('a client that has its tokens counted is told of an account that does not say how many', async () => {
  await using mixed = await startMixed({
    only: { form: form.generate, script: answerJson({ totalTokens: 'four' }) },
  })

  const response = await counters.messages.ask(mixed.gateway)

  expect(response.status).toBe(502)
  expect(await response.text()).toContain("The upstream's reply has no count of tokens.")
})
