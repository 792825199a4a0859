import { expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import { until } from '../../../src/testing/until.ts'
import { addressesOf, withoutAdmin, openPlace, type Running } from '../../cli/dragoman.ts'

const secret = 'a-secret-of-this-test'

/** Enough to be in the middle of many writes. */
const enough = 400

test('after kill -9 under load, every response that a client has seen can be continued', async () => {
  await using place = await openPlace()
  await using sandbox = await startSandbox()
  const accounts = ['a', 'b'].map((id) => ({
    id,
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: `sandbox-key-${id}`,
    models: ['*'],
  }))
  const keys = [{ id: 'team', secret }]
  await place.write('dragoman.config.json', JSON.stringify({ keys, accounts, store: 'file:store' }))

  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  const seen = new Map<string, string>()
  const lanes = Array.from({ length: 16 }, (_, lane) =>
    create(clients, lane % 2 === 0, seen, server),
  )
  await until(() => seen.size >= enough)
  server.child.kill('SIGKILL')
  await Promise.all(lanes)
  await server.ended

  const again = await addressesOf(place.start(withoutAdmin))
  const answers = await Promise.all(
    [...seen].map(async ([id, account]) => {
      const reply = await ask(again.clients, { previous_response_id: id })
      await reply.body?.cancel()
      return `${reply.status} ${reply.headers.get('x-dragoman-account') === account}`
    }),
  )
  expect(new Set(answers)).toEqual(new Set(['200 true']))
  expect(new Set(seen.values())).toEqual(new Set(['a', 'b']))
})

/** Makes responses until the server is gone, and notes those whose end was seen. */
async function create(
  url: string,
  stream: boolean,
  seen: Map<string, string>,
  { child }: Running,
): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    try {
      const reply = await ask(url, { stream })
      const text = await reply.text()
      const id = /"id":\s*"(resp_[^"]+)"/.exec(text)?.[1]
      const isWhole = stream ? text.includes('event: response.completed') : text.endsWith('}')
      if (id && isWhole) seen.set(id, reply.headers.get('x-dragoman-account') ?? '')
    } catch {
      // Killed in the middle of it: nobody has seen its end.
    }
  }
}

function ask(url: string, fields: object): Promise<Response> {
  return fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox/words=2', input: 'hi', ...fields }),
  })
}
