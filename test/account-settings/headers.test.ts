import { describe, expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { form, forms } from '../walks/streams/forms.ts'
import { serving } from '../walks/failover/pool.ts'
import { accountFor } from '../walks/streams/scripted.ts'

const secret = 'canary-secret-0123456789'

describe.each(forms)('an account of a $name client with headers of its own', (form) => {
  test('gets them with each request, in place of those of clients', async () => {
    await using account = await startFakeAccount(serving(form))
    await using gateway = await createTestGateway({
      accounts: [
        accountFor(form, 'only', account.url, {
          headers: { 'X-Team': 'research', 'user-agent': 'the-operator', 'x-tenant': secret },
        }),
      ],
    })

    await receive(await ask(gateway, form, { headers: { 'user-agent': 'a-client' } }))
    await receive(await ask(gateway, form, { stream: false, headers: { 'x-team': 'other' } }))

    expect(account.requests).toHaveLength(2)
    for (const { headers } of account.requests) {
      expect(headers).toMatchObject({
        'x-team': 'research',
        'user-agent': 'the-operator',
        'x-tenant': secret,
      })
      expect(JSON.stringify(headers)).toContain('key-of-only')
    }
  })
})

test('a translated request and the check of an account carry them, too', async () => {
  await using account = await startFakeAccount((response, request) => {
    const answer = request.method === 'GET' ? { data: [] } : form.chat.reply
    return answerJson(answer)(response, request)
  })
  await using gateway = await createTestGateway({
    admin: true,
    accounts: [
      accountFor(form.chat, 'only', account.url, {
        provider: 'openai-compatible',
        headers: { 'x-team': 'research' },
      }),
    ],
  })

  const response = await ask(gateway, form.messages, { stream: false })
  await gateway.admin!.ask('mutation { testAccount(input: { id: "only" }) { __typename } }')

  expect(response.status).toBe(200)
  expect(account.requests.map(({ method, headers }) => [method, headers['x-team']])).toEqual([
    ['POST', 'research'],
    ['GET', 'research'],
  ])
})

test('no reply and no log repeats a secret header', async () => {
  const bearer = `Bearer ${secret}`
  await using account = await startFakeAccount((response, request) => {
    const isRefused = request.body.includes('"stream":true')
    const text = `your key ${String(request.headers['x-gate'])} and ${secret}`
    return isRefused
      ? answerJson({ error: { message: text } }, { status: 400 })(response, request)
      : answerJson({ ...form.chat.reply, system_fingerprint: text })(response, request)
  })
  await using gateway = await createTestGateway({
    accounts: [accountFor(form.chat, 'only', account.url, { headers: { 'x-gate': 'env:GATE' } })],
    env: { GATE: bearer },
  })

  const texts = await Promise.all(
    [true, false].map(async (stream) => {
      const response = await ask(gateway, form.chat, { stream })
      return (await response.text()) + JSON.stringify([...response.headers])
    }),
  )

  expect(account.requests[0]?.headers['x-gate']).toBe(bearer)
  for (const text of texts) {
    expect(text).not.toContain(secret)
    expect(text).toContain('[secret]')
  }
  const lines = await gateway.logged(2)
  expect(JSON.stringify([lines, gateway.log, gateway.attemptWarnings])).not.toContain(secret)
})

test('they do not follow a redirect to another host', async () => {
  await using elsewhere = await startFakeAccount(serving(form.chat))
  await using account = await startFakeAccount((response) => {
    response.writeHead(307, { location: `${elsewhere.url}/v1/chat/completions` }).end()
  })
  await using gateway = await createTestGateway({
    accounts: [accountFor(form.chat, 'only', account.url, { headers: { 'x-team': secret } })],
  })

  expect((await ask(gateway, form.chat)).status).toBe(502)
  expect(account.requests[0]?.headers['x-team']).toBe(secret)
  expect(elsewhere.requests).toHaveLength(0)
})
