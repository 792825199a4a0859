import { expect, test } from 'vitest'

import { refusing, serving } from '../failover/pool.ts'
import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { dialectOf, startMixed } from './mixed.ts'

const own = (priority: number) => ({ form: form.chat, settings: { priority } })
const foreign = (priority: number) => ({ form: form.messages, settings: { priority } })

const accountOf = (response: Response) => response.headers.get('x-dragoman-account')

test.each(['drop', 'native', 'reject'] as const)(
  'an account of its own dialect serves a client, whatever the priority of another: %s',
  async (losses) => {
    await using mixed = await startMixed({ foreign: foreign(0), own: own(1) }, { losses })

    for (const fields of [{}, { seed: 7 }, { logprobs: true }]) {
      const response = await ask(mixed.gateway, form.chat, { stream: false, fields })
      expect(accountOf(response)).toBe('own')
    }
    expect(mixed.accounts.foreign.requests).toHaveLength(0)
  },
)

test('a client is served by an account of another dialect when its own fails', async () => {
  const script = refusing(500)
  await using mixed = await startMixed({ own: { form: form.chat, script }, foreign: foreign(0) })

  const response = await ask(mixed.gateway, form.chat, { stream: false, fields: { seed: 7 } })

  expect(response.status).toBe(200)
  expect(accountOf(response)).toBe('foreign')
  expect(response.headers.get('x-dragoman-losses')).toBe('seed')
  expect(await response.json()).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { content: 'Hello there' }, finish_reason: 'stop' }],
  })
  expect((await mixed.gateway.logged(1))[0]).toMatchObject({ attempts: 2, account: 'foreign' })
})

test('what the client lost is that of the account that answered', async () => {
  await using mixed = await startMixed({
    lossy: { form: form.messages, script: refusing(500) },
    other: { form: form.generate, settings: { priority: 1 } },
  })

  const response = await ask(mixed.gateway, form.chat, { stream: false, fields: { seed: 7 } })

  expect(accountOf(response)).toBe('other')
  expect(response.headers.has('x-dragoman-losses')).toBe(false)
})

test('a call that must lose nothing goes past an account that would', async () => {
  await using mixed = await startMixed(
    { lossy: foreign(0), able: { form: form.generate, settings: { priority: 1 } } },
    { losses: 'native' },
  )

  const asked = { stream: false, fields: { seed: 7 } }
  expect(accountOf(await ask(mixed.gateway, form.chat, asked))).toBe('able')
  expect(mixed.accounts.lossy.requests).toHaveLength(0)
  // With nothing to lose the first is as good as any.
  expect(accountOf(await ask(mixed.gateway, form.chat, { stream: false }))).toBe('lossy')
})

test('a call that only its own dialect can do waits for no other one', async () => {
  const script = refusing(500)
  await using mixed = await startMixed({ own: { form: form.chat, script }, foreign: foreign(0) })

  const response = await ask(mixed.gateway, form.chat, { fields: { logprobs: true } })

  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ error: { message: 'refused with 500' } })
  expect(accountOf(response)).toBe('own')
  expect(mixed.accounts.foreign.requests).toHaveLength(0)
})

test('an affinity leads back to the account of another dialect that served before', async () => {
  const ids = ['a', 'b', 'c', 'd']
  const members = Object.fromEntries(ids.map((id) => [id, { form: form.messages }]))
  await using mixed = await startMixed(members)
  const asked = { stream: false, fields: { prompt_cache_key: 'conversation-1' } }

  const first = accountOf(await ask(mixed.gateway, form.chat, asked))
  for (let turn = 0; turn < 8; turn++) {
    expect(accountOf(await ask(mixed.gateway, form.chat, asked))).toBe(first)
  }
})

test('a stand-in of another dialect keeps a conversation, but for what it cannot be asked', async () => {
  let isAway = true
  await using mixed = await startMixed({
    own: {
      form: form.chat,
      script: (response, request) =>
        isAway ? refusing(500)(response, request) : serving(form.chat)(response, request),
    },
    foreign: foreign(0),
  })
  const ofConversation = (fields: object = {}) =>
    ask(mixed.gateway, form.chat, {
      stream: false,
      fields: { prompt_cache_key: 'conversation-1', ...fields },
    })

  expect(accountOf(await ofConversation())).toBe('foreign')
  isAway = false
  expect(accountOf(await ofConversation())).toBe('foreign')
  expect(accountOf(await ofConversation({ logprobs: true }))).toBe('own')
})

test.each(['responses', 'chat', 'messages', 'generate'] as const)(
  'a %s client is told at once when neither account can be had',
  async (name) => {
    const other = name === 'chat' ? form.messages : form.chat
    const busy = refusing(429, { 'retry-after': '60' })
    await using mixed = await startMixed({
      own: { form: form[name], script: busy },
      foreign: { form: other, script: busy },
    })
    await ask(mixed.gateway, form[name])

    const response = await ask(mixed.gateway, form[name])

    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toMatch(/^(59|60)$/)
    expect(await response.json()).toMatchObject({ error: { code: 429 } })
    const [, line] = await mixed.gateway.logged(2)
    expect(line?.['excluded']).toHaveLength(2)
    expect(mixed.accounts.own.requests).toHaveLength(1)
    expect(mixed.accounts.foreign.requests).toHaveLength(1)
    expect(line).toMatchObject({ dialect: expect.any(String), attempts: 0 })
    expect(dialectOf(other)).not.toBe(name)
  },
)

test('a client whose own account is away is told of that, and not of what the other one lacks', async () => {
  const busy = refusing(429, { 'retry-after': '60' })
  await using mixed = await startMixed({
    own: { form: form.chat, script: busy },
    foreign: foreign(0),
  })
  const asked = { fields: { logprobs: true } }
  await ask(mixed.gateway, form.chat, asked)

  const response = await ask(mixed.gateway, form.chat, asked)

  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toMatch(/^(59|60)$/)
  expect(mixed.accounts.own.requests).toHaveLength(1)
  expect(mixed.accounts.foreign.requests).toHaveLength(0)
})
