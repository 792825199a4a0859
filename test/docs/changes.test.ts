import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { GenerateRequest } from '../../src/generate/request.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { openCheckout, serving, withoutAdmin } from './checkout.ts'
import { openPage, repository } from './pages.ts'

const page = openPage('docs/plugins.md')

/** Serves an example of the page before a sandbox. */
async function serveExample(name: string, change = (config: string) => config) {
  await using starting = new AsyncDisposableStack()
  const checkout = starting.use(await openCheckout(withoutAdmin))
  const sandbox = starting.use(await startSandbox())
  const config = page.block('ts', `name: '${name}'`).replace(
    /accounts: .*/,
    `keys: [{ id: 'me', secret: 'my-secret' }, { id: 'trusted', secret: 'other-secret' }],
    store: 'memory:',
    accounts: [{ id: 'a', provider: 'sandbox', baseUrl: '${sandbox.url}', apiKey: 'sandbox-key-a', models: ['*'] }],`,
  )
  await checkout.write('dragoman.config.ts', change(config))
  const { clients } = await serving(checkout.start('npm start'))
  const started = starting.move()
  return {
    sandbox,
    ask: (content: string, { stream = false, key = 'my-secret' } = {}) =>
      fetch(`${clients}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'sandbox/echo',
          stream,
          messages: [{ role: 'user', content }],
        }),
      }),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

test('the plugin of requests in the page hides cards and adds its rule', async () => {
  await using served = await serveExample('privacy')
  const asked = async (key: string) => {
    expect((await served.ask('Take 4111 1111 1111 1111, please.', { key })).status).toBe(200)
    return JSON.parse(served.sandbox.requests.at(-1)?.body.toString() ?? '') as object
  }

  expect(await asked('my-secret')).toMatchObject({
    messages: [
      { role: 'system', content: 'Never ask for a card.' },
      { role: 'user', content: 'Take [card], please.' },
    ],
  })
  expect(await asked('other-secret')).toMatchObject({
    messages: [{ role: 'user', content: 'Take 4111 1111 1111 1111, please.' }],
  })
})

test('the plugin of the page that waits has a service judge each sentence', async () => {
  await using service = await startFakeAccount((response, { body }) => {
    response.writeHead(body.includes('rude') ? 422 : 204).end()
  })
  await using served = await serveExample('judged-sentences', (config) =>
    config.replace('http://127.0.0.1:8791', service.url),
  )

  for (const stream of [false, true]) {
    const polite = await (await served.ask('Hello. How are you?', { stream })).text()
    expect(polite).toContain('How')
    const refused = await (await served.ask('Hello. You are rude. Bye.', { stream })).text()
    expect(refused).toContain('breaks a rule of this service')
    expect(refused).not.toContain('rude')
    expect(refused).not.toContain('[DONE]')
  }
  const judged = service.requests.map(({ body }) => body.toString())
  expect(judged).toContain('You said: Hello. ')
})

/** Members of a table's first column, without the question marks. */
function firstColumn(head: RegExp): string[] {
  const [, table = ''] = head.exec(page.text) ?? []
  return [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)\??`/g)].map(([, name = '']) => name),
  )
}

const members: Record<keyof GenerateRequest, true> = {
  stream: true,
  turns: true,
  tools: true,
  toolChoice: true,
  parallelToolCalls: true,
  output: true,
  verbosity: true,
  reasoning: true,
  sampling: true,
  maxOutputTokens: true,
  stop: true,
  candidates: true,
  logprobs: true,
  endUser: true,
  metadata: true,
  cacheKey: true,
  serviceTier: true,
  store: true,
  exchangeId: true,
  fields: true,
  settings: true,
  extras: true,
}

test('the page describes every member of a request', () => {
  const described = firstColumn(/^\| member \| content \|\n\|[-|]+\|\n((?:\|.*\n)+)/m)
  expect(described.toSorted()).toEqual(Object.keys(members).toSorted())
})

test('the page names the members that each stage adds to the exchange', () => {
  const source = readFileSync(join(repository, 'src/contract/exchange.ts'), 'utf8')
  const stages = [...source.matchAll(/^export interface (\w+)(?: extends (\w+))? \{\n([^]*?)^\}/gm)]
  const views = ['Received', 'Identified', 'Authenticated', 'Understood', 'Routed']
  for (const view of views) {
    const [, , , body = ''] = stages.find(([, name]) => name === view) ?? []
    const own = [...body.matchAll(/^  readonly (\w+)/gm)].map(([, name]) => name)
    expect(own.length, view).toBeGreaterThan(0)
    const [, adds = ''] =
      new RegExp(`^\\| \`${view}\` \\|[^|]*\\| (.*) \\|$`, 'm').exec(page.text) ?? []
    const named = adds.replaceAll(/\([^)]*\)/g, '')
    const described = [...named.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(described, view).toEqual(own)
  }
})
