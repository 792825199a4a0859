import { expect, test } from 'vitest'

import type { GenerateEvent } from '../../src/generate/events.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { openCheckout, printed } from './checkout.ts'
import { blocks, readmeText } from './readme.ts'

interface Answer {
  output: { type: string; arguments?: string }[]
}

const tool = {
  type: 'function',
  name: 'look_up',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

test('the plugin of events in the README changes texts, and no thoughts and arguments', async () => {
  await using checkout = await openCheckout()
  await using sandbox = await startSandbox()
  const config = (blocks('ts').find((code) => code.includes('onEvents')) ?? '').replace(
    /accounts: .*/,
    `keys: [{ id: 'me', secret: 'my-secret' }],
    store: 'memory:',
    accounts: [{ id: 'a', provider: 'sandbox', baseUrl: '${sandbox.url}', apiKey: 'sandbox-key-a', models: ['*'] }],`,
  )
  await checkout.write('dragoman.config.ts', config)
  const server = checkout.start('npm start')
  const [, url = ''] = await printed(server, /Listening on (http:\S+) \(API\)/)
  const ask = async (fields: object) => {
    const response = await fetch(`${url}/v1/responses`, {
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

test('the README tells of every event that a plugin may get', () => {
  const [, table = ''] = /^\| event \| fields \|\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(readmeText) ?? []
  const told = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(told).toEqual(Object.keys(types))
})
