import { describe, expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { serving, startPool } from '../walks/failover/pool.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { form, forms, upToOutput, wholeStream } from '../walks/streams/forms.ts'
import { accountFor, createGate, openStream } from '../walks/streams/scripted.ts'
import { type Held, startHoldingAccount } from './holding.ts'

const explaining = { keys: [{ id: 'me', secret: 'sk-me', explain: true }] }

/** The decision for a call, as `x-dragoman-route` has it. */
async function routed(gateway: TestGateway) {
  const response = await ask({ ...gateway, key: 'sk-me' }, form.chat, {
    stream: false,
    headers: { 'x-dragoman-explain': '1' },
  })
  await response.text()
  return JSON.parse(response.headers.get('x-dragoman-route') ?? '{}') as object
}

test('a call goes to the next account while one is at its limit, until a stream ends', async () => {
  await using held = await startHoldingAccount(form.chat)
  await using spare = await startFakeAccount(serving(form.chat))
  await using gateway = await createTestGateway({
    ...explaining,
    admin: true,
    accounts: [
      accountFor(form.chat, 'small', held.url, { maxConcurrent: 1 }),
      accountFor(form.chat, 'spare', spare.url, { priority: 1 }),
    ],
  })
  const stream = await ask({ ...gateway, key: 'sk-me' }, form.chat)

  expect(await routed(gateway)).toMatchObject({
    account: 'spare',
    excluded: [
      { account: 'small', by: 'concurrency', reason: 'it is at its limit of 1 call at once' },
    ],
  })
  const shown = await gateway.admin!.ask(
    '{ accounts(first: 5) { edges { node { id state stateReason } } } }',
  )
  expect(JSON.stringify(shown)).toContain('it is at its limit of 1 call at once')
  const explained = await gateway.admin!.ask(
    `{ explain(input: { dialect: "chat", model: "m", keyId: "me" }) {
      chosen { accountId } excluded { accountId by } } }`,
  )
  expect(explained.data).toMatchObject({
    explain: {
      chosen: { accountId: 'spare' },
      excluded: [{ accountId: 'small', by: 'concurrency' }],
    },
  })

  held.finish()
  await receive(stream)
  await until(async () => JSON.stringify(await routed(gateway)).includes('"account":"small"'))
})

describe.each(forms)('a $name client of accounts that are all at their limit', (form) => {
  test('is answered 429 in its dialect, and asks again', async () => {
    await using held = await startHoldingAccount(form)
    await using gateway = await createTestGateway({
      accounts: [accountFor(form, 'small', held.url, { maxConcurrent: 2 })],
    })
    const streams = await Promise.all([ask(gateway, form), ask(gateway, form)])

    const refused = await ask(gateway, form)

    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({
      error: { message: 'Every account of the model `m` is at its limit of calls at once.' },
    })
    expect(held.requests).toHaveLength(2)
    held.finish()
    await Promise.all(streams.map(receive))
    await until(async () => (await ask(gateway, form, { stream: false })).status === 200)
  })
})

test('a chained call is refused with its own error, and no other account is asked', async () => {
  await using held = await startHoldingAccount(form.responses)
  await using spare = await startFakeAccount(serving(form.responses))
  const accounts = (maxConcurrent: number) => [
    accountFor(form.responses, 'owner', held.url, { maxConcurrent }),
    accountFor(form.responses, 'spare', spare.url, { priority: 1 }),
  ]
  await using gateway = await createTestGateway({ accounts: accounts(1) })
  const first = (await (await ask(gateway, form.responses, { stream: false })).json()) as {
    id: string
  }
  const chained = { fields: { previous_response_id: first.id }, stream: false }
  const stream = await ask(gateway, form.responses)

  const refused = await ask(gateway, form.responses, chained)

  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(refused.headers.get('x-should-retry')).toBe('true')
  expect(await refused.json()).toMatchObject({
    error: {
      code: 'previous_response_account_unavailable',
      message: expect.stringContaining('it is at its limit of 1 call at once'),
    },
  })
  expect(spare.requests).toHaveLength(0)

  // A reload that raises the limit counts what runs already.
  gateway.reload({ accounts: accounts(2) })
  expect((await ask(gateway, form.responses, chained)).status).toBe(200)
  held.finish()
  await receive(stream)
})

test('no more calls than the limit are ever at an account at once', async () => {
  let present = 0
  let most = 0
  const gate = createGate()
  await using account = await startFakeAccount(async (response, request) => {
    most = Math.max(most, ++present)
    response.once('close', () => present--)
    await gate.opened
    await serving(form.chat)(response, request)
  })
  await using gateway = await createTestGateway({
    accounts: [
      accountFor(form.chat, 'small', account.url, {
        provider: 'openai-compatible',
        maxConcurrent: 3,
      }),
    ],
  })

  // Translated calls are prepared in later turns, after the limit was looked at.
  const calls = Array.from({ length: 12 }, (_, index) =>
    ask(gateway, index % 2 ? form.chat : form.messages, { stream: false }),
  )
  let refused = 0
  for (const call of calls) void call.then(({ status }) => (refused += Number(status === 429)))
  await until(() => present === 3 && refused === 9)
  gate.open()

  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(most).toBe(3)
  expect(statuses.filter((status) => status === 200)).toHaveLength(3)
  expect(statuses.filter((status) => status === 429)).toHaveLength(9)
})

test('an account that fills up while another one is asked is passed over', async () => {
  const gate = createGate()
  // The first failover ranks the accounts for all that follow.
  await using failing = await startFakeAccount(
    answerJson({ error: { message: 'no' } }, { status: 500 }),
  )
  await using slow = await startFakeAccount(async (response, request) => {
    await gate.opened
    await answerJson({ error: { message: 'no' } }, { status: 500 })(response, request)
  })
  await using held = await startHoldingAccount(form.chat)
  await using spare = await startFakeAccount(serving(form.chat))
  await using gateway = await createTestGateway({
    accounts: [
      accountFor(form.chat, 'failing', failing.url, { models: ['m'] }),
      accountFor(form.chat, 'slow', slow.url, { models: ['m'], priority: 1 }),
      accountFor(form.chat, 'small', held.url, { maxConcurrent: 1, priority: 2 }),
      accountFor(form.chat, 'spare', spare.url, { models: ['m'], priority: 3 }),
    ],
  })
  const call = ask(gateway, form.chat, { stream: false })
  await until(() => slow.requests.length === 1)
  const stream = await ask(gateway, form.chat, { model: 'only-at-small' })

  gate.open()

  const response = await call
  expect([response.status, response.headers.get('x-dragoman-account')]).toEqual([200, 'spare'])
  expect(held.requests).toHaveLength(1)
  held.finish()
  await receive(stream)
})

test('every end of a call frees its slot', async () => {
  const ends = [
    'served',
    'streamed',
    'left',
    'cut',
    'silent',
    'refused',
    'failed',
    'nonsense',
    'plugin before',
    'plugin after',
    'dropped',
    'twice',
  ] as const
  const hour = 3_600_000
  let time = Date.now()
  await using account = await startHoldingAccount(form.chat, (held) =>
    (scripts[endOf(held)] ?? finish)(held),
  )
  await using spare = await startFakeAccount(serving(form.chat))
  await using gateway = await createTestGateway({
    accounts: [
      accountFor(form.chat, 'small', account.url, { maxConcurrent: 2, timeouts: { idleMs: 150 } }),
      accountFor(form.chat, 'spare', spare.url, { priority: 1 }),
    ],
    now: () => time,
    plugins: [
      {
        name: 'unkind',
        async onAttempt({ exchange, outbound, next }) {
          const end = String(exchange.request.headers['x-session-id'])
          if (end === 'plugin before') throw new Error('before')
          if (end === 'twice') await next(outbound)
          const reply = await next(outbound)
          if (end === 'plugin after') throw new Error('after')
          return end === 'dropped' ? { ...reply, body: Buffer.from('{}') } : reply
        },
      },
    ],
  })
  const call = async (end: string, stream: boolean) => {
    const leaving = new AbortController()
    const response = await ask(gateway, form.chat, {
      stream,
      headers: { 'x-session-id': end },
      signal: leaving.signal,
    }).catch(() => undefined)
    if (end === 'left') leaving.abort()
    else if (response) await receive(response)
  }

  for (const end of [...ends, ...ends]) {
    await Promise.all([call(end, true), call(end, false)])
    // No circuit is to keep calls away.
    time += hour
  }

  // Both slots are free again, and no third one.
  const before = account.requests.length
  await until(async () => {
    const { status, headers } = await ask(gateway, form.chat, { stream: false })
    return status === 200 && headers.get('x-dragoman-account') !== 'spare'
  })
  const [one, two] = await Promise.all([ask(gateway, form.chat), ask(gateway, form.chat)])
  await until(() => account.requests.length >= before + 3)
  const third = await ask(gateway, form.chat, { stream: false })
  expect(spareOf(third)).toBe(true)
  account.finish()
  for (const response of [one, two]) await receive(response)

  function spareOf({ headers }: Response): boolean {
    return headers.get('x-dragoman-account') === 'spare'
  }
})

const finish = (held: Held) => held.finish()

const endOf = ({ request }: Held) => String(request.headers['x-session-id'] ?? 'held')

const scripts: Readonly<Record<string, (held: Held) => void>> = {
  silent: ({ response, isStream }) =>
    isStream
      ? openStream(response, upToOutput(form.chat))
      : void response.writeHead(200).write('{'),
  cut: ({ response, isStream }) => {
    if (isStream) openStream(response, upToOutput(form.chat))
    setImmediate(() => response.socket?.destroy())
  },
  refused: ({ response, request }) =>
    void answerJson({ error: { message: 'no' } }, { status: 400 })(response, request),
  failed: ({ response, request }) =>
    void answerJson({ error: { message: 'no' } }, { status: 500 })(response, request),
  nonsense: ({ response, request }) => void answerJson('nonsense')(response, request),
  held: ({ isStream, finish, hold }) => (isStream ? hold() : finish()),
}

test('a limit is a whole number above 0', async () => {
  const account = accountFor(form.chat, 'a', 'http://127.0.0.1:9')
  for (const maxConcurrent of [0, -1, 1.5, '2' as unknown as number]) {
    const starting = createTestGateway({ accounts: [{ ...account, maxConcurrent }] })
    await expect(starting).rejects.toThrow('accounts[0].maxConcurrent')
  }
})

test('without a limit an account takes all calls', async () => {
  await using pool = await startPool(form.chat, { only: serving(form.chat) })
  const calls = await Promise.all(Array.from({ length: 20 }, () => ask(pool.gateway, form.chat)))
  expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200))
  for (const response of calls) {
    expect((await receive(response)).text).toBe(wholeStream(form.chat).join(''))
  }
})
