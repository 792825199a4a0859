import { expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import { type TestGateway, createTestGateway } from '../../../src/testing/gateway.ts'

/** The same account, once in the words of the client and once in others. */
const accounts = ['responses', 'chat', 'messages', 'generate'] as const

const answers = accounts.map((speaks) => ({ speaks }))

async function start(speaks: string) {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const account = { id: 'a', provider: 'sandbox', baseUrl: sandbox.url, apiKey: 'sandbox-key-a' }
  const models = { m: 'sandbox/echo' }
  const gateway = starting.use(
    await createTestGateway({ accounts: [{ ...account, speaks: [speaks], models }] }),
  )
  const started = starting.move()
  return { gateway, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

async function call({ url, key }: TestGateway, method: string, path: string, body?: object) {
  const response = await fetch(`${url}/v1/responses${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}

test.each(answers)(
  'a client of an account that speaks $speaks sees all that a chained response was made from',
  async ({ speaks }) => {
    await using stage = await start(speaks)
    const { json: first } = await call(stage.gateway, 'POST', '', { model: 'm', input: 'one' })
    const more = { model: 'm', input: 'two', previous_response_id: first['id'] }
    const { json: second } = await call(stage.gateway, 'POST', '', more)

    const { json } = await call(
      stage.gateway,
      'GET',
      `/${second['id'] as string}/input_items?order=asc`,
    )

    expect(json).toMatchObject({
      object: 'list',
      has_more: false,
      data: [
        { role: 'user', content: [{ text: 'one' }] },
        { role: 'assistant', content: [{ text: 'You said: one' }] },
        { role: 'user', content: [{ text: 'two' }] },
      ],
    })
    expect(json['data']).toHaveLength(3)
  },
)

test.each(answers)(
  'a client of an account that speaks $speaks is told of a response that it deleted',
  async ({ speaks }) => {
    await using stage = await start(speaks)
    const { json } = await call(stage.gateway, 'POST', '', { model: 'm', input: 'one' })
    const id = json['id'] as string

    expect(await call(stage.gateway, 'DELETE', `/${id}`)).toEqual({
      status: 200,
      json: { id, object: 'response', deleted: true },
    })
  },
)

test('a client that cancels a response is told why it cannot be', async () => {
  await using stage = await start('chat')
  const { json } = await call(stage.gateway, 'POST', '', { model: 'm', input: 'one' })
  const id = json['id'] as string

  const refused = await call(stage.gateway, 'POST', `/${id}/cancel`)

  expect(refused).toMatchObject({
    status: 400,
    json: {
      error: {
        message: `'${id}' cannot be cancelled: it was not created with \`background: true\`.`,
      },
    },
  })
})
