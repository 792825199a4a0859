import OpenAI from 'openai-7'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { statusWithKey } from '../cli/dragoman.ts'
import type { Shell } from '../docs/shells.ts'
import { type Example, openExample } from './example.ts'

const cleanup = new AsyncDisposableStack()
let example: Example
let gateways: [Shell, Shell]
let balancer: Shell
/** Of nginx. */
let url: string
let secret: string

/** Redis, sandbox, two gateways and nginx, by the commands of the README, and the first key. */
beforeAll(async () => {
  example = cleanup.use(await openExample('replicas'))
  await example.follow('npm install')
  await Promise.all([
    example.open('npm run redis', /Ready to accept connections/),
    example.open('npm run sandbox', /listens on/),
  ])
  secret = await createKey(example.command('keys create'))
  gateways = await Promise.all([
    example.open('--port 8787', /Listening on/),
    example.open('--port 8789', /Listening on/),
  ])
  balancer = example.start(example.command('npm run balancer'))
  url = example.url(8080)
  await until(async () => {
    if (balancer.child.exitCode !== null) throw new Error(balancer.output.text)
    return fetch(`${url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
}, 60_000)
afterAll(() => cleanup.disposeAsync())

async function createKey(command: string): Promise<string> {
  const output = await example.run(command)
  return /^dgm_\S+$/m.exec(output)?.[0] ?? output
}

/** One step of a chain, and the account that it came from. */
async function ask(client: OpenAI, previous?: string) {
  const fields = { model: 'sandbox/echo', input: 'Hello' }
  const { data, response } = await client.responses
    .create({ ...fields, ...(previous && { previous_response_id: previous }) })
    .withResponse()
  return { id: data.id, account: response.headers.get('x-dragoman-account') }
}

test('a key is issued and revoked for both gateways at once', async () => {
  const create = example.command('keys create')
  const late = await createKey(create.replace('team', 'late'))
  const urls = [example.url(8787), example.url(8789)]
  const statuses = () => Promise.all(urls.map((each) => statusWithKey(each, late)))
  await until(async () => (await statuses()).every((status) => status === 200))
  await example.run(create.replace('create --id team', 'revoke late'))
  await until(async () => (await statuses()).every((status) => status === 401))
})

test('two gateways behind nginx serve one chain, and one of them goes on with it alone', async () => {
  const curled = await example.run(example.command('curl'), { DRAGOMAN_KEY: secret })
  expect(curled).toMatch(/^HTTP.1.1 200 [^]*"You said: Hello"/m)

  const client = new OpenAI({ apiKey: secret, baseURL: `${url}/v1`, maxRetries: 0 })
  const first = await ask(client)
  let last = first
  for (let count = 1; count <= 4; count++) {
    last = await ask(client, last.id)
    expect(last.account).toBe(first.account)
  }
  const hasServed = ({ output }: Shell) => output.text.includes('"route":"responses.create"')
  await until(() => gateways.every(hasServed))

  const [one, other] = gateways
  one.signal('SIGKILL')
  await one.ended
  for (let count = 1; count <= 4; count++) {
    last = await ask(client, last.id)
    expect(last.account).toBe(first.account)
  }
  expect(await client.responses.retrieve(first.id)).toMatchObject({ id: first.id })

  for (const shell of [other, balancer]) {
    shell.signal('SIGTERM')
    await shell.ended
  }
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  expect(example.unused()).toEqual([])
})
