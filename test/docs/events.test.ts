import { expect, test } from 'vitest'

import type { GenerateEvent } from '../../src/generate/events.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { openCheckout, serving, withoutAdmin } from './checkout.ts'
import { openPage } from './pages.ts'

const page = openPage('docs/plugins.md')

interface Answer {
  output: { type: string; arguments?: string }[]
}

const tool = {
  type: 'function',
  name: 'look_up',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

test('the plugin of events in the page changes texts, and no reasoning and arguments', async () => {
  await using checkout = await openCheckout(withoutAdmin)
  await using sandbox = await startSandbox()
  const config = page.block('ts', "name: 'shout'").replace(
    /accounts: .*/,
    `keys: [{ id: 'me', secret: 'my-secret' }],
    store: 'memory:',
    accounts: [{ id: 'a', provider: 'sandbox', baseUrl: '${sandbox.url}', apiKey: 'sandbox-key-a', models: ['*'] }],`,
  )
  await checkout.write('dragoman.config.ts', config)
  const server = checkout.start('npm start')
  const { clients } = await serving(server)
  const ask = async (fields: object) => {
    const response = await fetch(`${clients}/v1/responses`, {
      method: 'POST',
      headers: { authorization: 'Bearer my-secret' },
      body: JSON.stringify(fields),
    })
    expect(response.status).toBe(200)
    return (await response.json()) as Answer
  }

  const said = await ask({ model: 'sandbox/echo', input: 'Hello' })
  expect(said.output).toMatchObject([{ content: [{ text: 'YOU SAID: HELLO' }] }])

  const called = await ask({ model: 'sandbox/tool', input: 'Hello', tools: [tool] })
  const written = called.output.find(({ type }) => type === 'function_call')?.arguments ?? ''
  expect(JSON.parse(written)).toHaveProperty('city')

  const reasoning = { summary: 'auto' }
  const thought = await ask({ model: 'sandbox/think', input: 'Hello', reasoning })
  expect(thought.output).toMatchObject([
    { type: 'reasoning', summary: [{ text: 'The user wrote: Hello' }] },
    { type: 'message', content: [{ text: 'YOU SAID: HELLO' }] },
  ])
})

const types: Record<GenerateEvent['type'], true> = {
  start: true,
  part: true,
  delta: true,
  signature: true,
  citation: true,
  end: true,
  stop: true,
  finish: true,
  error: true,
}

test('the page describes every event that a plugin may get', () => {
  const [, table = ''] = /^\| event \| fields \|\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(page.text) ?? []
  const described = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(described).toEqual(Object.keys(types))
})
