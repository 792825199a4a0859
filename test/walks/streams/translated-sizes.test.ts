import { expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { type Answer, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { type TestGatewayOptions, createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { ask, receive, receiveUntil } from './asking.ts'
import { type EndlessReply, endlessReplies } from './endless-replies.ts'
import { form } from './forms.ts'
import { openStream } from './scripted.ts'
import { flood, type Flood } from './slow-reader.ts'

const MiB = 1024 * 1024
const tooLarge = "The upstream's reply is too large."

/** A gateway before one account that speaks one dialect alone. */
async function stage(
  dialect: EndlessReply['account'],
  script: Answer,
  options: Omit<TestGatewayOptions, 'accounts'>,
) {
  await using opening = new AsyncDisposableStack()
  const account = opening.use(await startFakeAccount(script))
  const only = { id: 'only', provider: 'openai-compatible', apiKey: 'key-of-only', models: ['*'] }
  const accounts = [{ ...only, baseUrl: `${account.url}/v1`, speaks: [dialect] }]
  const gateway = opening.use(await createTestGateway({ ...options, accounts }))
  const stack = opening.move()
  return { gateway, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const cases = Object.entries(endlessReplies).flatMap(([what, reply]) =>
  (['chat', 'messages', 'responses', 'generate'] as const)
    .filter((client) => client !== reply.account)
    .map((client) => ({ what, reply, client })),
)

test.each(dailyRows(cases))(
  '$what without an end is an error for a $client client',
  async (one) => {
    const { reply, client } = one
    const floods: Flood[] = []
    await using scene = await stage(
      reply.account,
      (response) => {
        openStream(response, reply.beginning)
        floods.push(
          flood(response, reply.frame('a'.repeat(3_000)), {
            most: 16 * MiB,
            onDone: () => response.end(),
          }),
        )
      },
      { limits: { replyBytes: MiB } },
    )

    const { text } = await receive(await ask(scene.gateway, form[client]))

    expect(text).toContain(tooLarge)
    await until(() => floods[0]!.closed)
    expect(await scene.gateway.logged(1)).toMatchObject([
      { stream_end: 'broken', error_type: 'upstream_reply_too_large' },
    ])
    await until(() => scene.gateway.gateway.held() === 0)
  },
)

test('a guardrail that holds the arguments of a call is not blamed for their size', async () => {
  const { beginning, frame } = endlessReplies['the arguments of a call']!
  const rules = [{ name: 'secret', pattern: 'nightfall', action: 'refuse' }]
  await using scene = await stage(
    'chat',
    (response) => {
      openStream(response, beginning)
      flood(response, frame('a'.repeat(3_000)), { most: 16 * MiB, onDone: () => response.end() })
    },
    {
      limits: { replyBytes: MiB },
      plugins: [{ use: 'dragoman/plugins/guardrail', options: { rules } }],
    },
  )

  const { text } = await receive(await ask(scene.gateway, form.messages))

  expect(text).toContain(tooLarge)
})

/** A chat account whose first text is this long, and which then says nothing. */
function afterText(bytes: number, limits: object = {}) {
  return stage(
    'chat',
    (response) => {
      openStream(response, form.chat.announcements)
      const { frame } = endlessReplies['a text']!
      for (let sent = 0; sent < bytes; sent += 1_000) response.write(frame('a'.repeat(1_000)))
    },
    { limits },
  )
}

test('a translated stream takes memory for its texts, until its client leaves', async () => {
  await using scene = await afterText(MiB)
  const leaving = new AbortController()
  const { signal } = leaving
  const response = await ask(scene.gateway, form.responses, { signal })
  const received = receive(response)
  // A client of Responses gets each text again in the last events.
  await until(() => scene.gateway.gateway.held() > 4 * MiB)
  leaving.abort()
  await received
  await until(() => scene.gateway.gateway.held() === 0)
})

test('a native stream takes no memory for its texts', async () => {
  await using scene = await afterText(MiB)
  const leaving = new AbortController()
  const { signal } = leaving
  const response = await ask(scene.gateway, form.chat, { signal })
  await receiveUntil(response.body!.getReader(), (text) => text.length > MiB)
  expect(scene.gateway.gateway.held()).toBe(0)
  leaving.abort()
})

test('a stream beside others that have taken the memory of its key ends with memory_full', async () => {
  await using scene = await afterText(MiB, { memoryBytes: 8 * MiB })
  const leaving = new AbortController()
  const { signal } = leaving
  const first = receive(await ask(scene.gateway, form.responses, { signal }))
  await until(() => scene.gateway.gateway.held() > 4 * MiB)

  const { text } = await receive(await ask(scene.gateway, form.responses))

  expect(text).toContain('memory_full')
  leaving.abort()
  await first
})
