import Anthropic from 'anthropic-1'
import OpenAI, { InternalServerError } from 'openai-7'
import { expect, test, vi } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, openPlace, type Place, withoutAdmin } from './dragoman.ts'
import { forgetful, wild } from './wild-plugins.ts'

vi.setConfig({ testTimeout: 180_000 })

const secret = 'secret-of-this-test'

async function placeWith(
  sandbox: string,
  module: string,
  plugins: readonly object[],
  speaks: readonly string[] = [],
): Promise<Place> {
  const place = await openPlace()
  const account = { id: 'a', provider: 'sandbox', baseUrl: sandbox, apiKey: 'sandbox-key-a' }
  await place.write('plugin.mjs', module)
  await place.write(
    'dragoman.config.json',
    JSON.stringify({
      store: 'memory:',
      keys: [{ id: 'team', secret }],
      accounts: [{ ...account, models: ['sandbox/*'], ...(speaks.length > 0 && { speaks }) }],
      timeouts: { drainMs: 500 },
      plugins: plugins.map((options) => ({ use: './plugin.mjs', options })),
    }),
  )
  return place
}

const model = 'sandbox/echo'

/** What a call asks for, and gets back. */
const ask = (number: number) => [{ role: 'user' as const, content: `question ${number}` }]

/** One call of an SDK, by its number: chat or messages, streamed or not. Resolves with the text. */
function caller(url: string) {
  const openai = new OpenAI({ apiKey: secret, baseURL: `${url}/v1`, maxRetries: 0 })
  const anthropic = new Anthropic({ apiKey: secret, baseURL: url, maxRetries: 0 })
  return async (number: number): Promise<string> => {
    const messages = ask(number)
    if (number % 4 === 0) {
      let text = ''
      const stream = await openai.chat.completions.create({ model, messages, stream: true })
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
      return text
    }
    if (number % 4 === 1) {
      const { content } = await anthropic.messages.create({ model, max_tokens: 100, messages })
      return content[0]?.type === 'text' ? content[0].text : ''
    }
    const { choices } = await openai.chat.completions.create({ model, messages })
    return choices[0]?.message.content ?? ''
  }
}

const places = ['onExchange', 'onAuthenticate', 'onCall', 'onCandidates', 'onAttempt']

test('two plugins that throw, hang, leak timers and reject promises leave 1,000 other calls untouched', async () => {
  await using sandbox = await startSandbox()
  await using place = await placeWith(sandbox.url, wild, [{ name: 'wild' }, { name: 'rabid' }])
  const server = place.start(anyPorts)
  const { clients, operators } = await addressesOf(server)
  const openai = new OpenAI({ apiKey: secret, baseURL: `${clients}/v1`, maxRetries: 0 })
  const victim = (fault: string, of: string, signal?: AbortSignal) =>
    openai.chat.completions.create(
      { model, messages: ask(0) },
      { headers: { [`x-${of}`]: fault }, ...(signal && { signal }) },
    )
  const leaving = new AbortController()
  const hanging = places.flatMap((hook) =>
    ['wild', 'rabid'].map((of) => victim(`${hook} hangs`, of, leaving.signal)),
  )
  const ends = Promise.allSettled(hanging)
  const failing: Promise<unknown>[] = []
  const call = caller(clients)
  const texts: string[] = []
  for (let first = 0; first < 1_000; first += 25) {
    const numbers = Array.from({ length: 25 }, (_, index) => first + index)
    const hook = places[(first / 25) % places.length]!
    failing.push(
      ...['throws', 'rejects'].map((how) =>
        victim(`${hook} ${how}`, 'wild').catch((error) => error),
      ),
    )
    texts.push(...(await Promise.all(numbers.map(call))))
  }
  texts.forEach((text, number) => expect(text).toContain(`question ${number}`))
  // The calls that the plugins fail have typed errors without a word of them.
  for (const error of await Promise.all(failing)) {
    expect(error).toBeInstanceOf(InternalServerError)
    expect(String(error)).not.toMatch(/wild|throws|rejects/)
  }
  // Those in which they hang end with their clients.
  leaving.abort()
  expect((await ends).map(({ status }) => status)).toEqual(hanging.map(() => 'rejected'))
  const ready = await fetch(`${operators}/readyz?verbose`)
  expect(ready.status).toBe(200)
  expect(((await ready.json()) as { defects: number }).defects).toBeGreaterThan(4_000)
  const stray = server.output.stderr.match(/^.*outside of all calls.*$/gm) ?? []
  expect(stray.length).toBeGreaterThan(0)
  const culprits = stray.map((line) => (JSON.parse(line) as { plugin?: string }).plugin)
  expect(culprits.filter((name) => name !== 'wild' && name !== 'rabid')).toEqual([])
  server.child.kill('SIGTERM')
  const { code, stderr } = await server.ended
  expect(code).toBe(0)
  expect(stderr).toContain('rabid: the task hangs failed')
})

const forgetfulPlaces = [
  ...places,
  'onStart',
  'onOutcome',
  'onEnd',
  'onAccessLog',
  'onEvents',
  'onDispose',
  'task',
  'probe',
  'signal',
  'map',
  'http',
]

const strays = (output: string) =>
  (output.match(/^.*outside of all calls.*$/gm) ?? []).map((line) => {
    const { plugin, error } = JSON.parse(line) as { plugin?: string; error: string }
    return `${plugin}: ${error}`
  })

const named = (where: string) => `forgetful in ${where}: Error: forgotten in ${where}`

test('a timer that a plugin forgets is logged with the name of the plugin, wherever that began', async () => {
  await using sandbox = await startSandbox()
  const plugins = forgetfulPlaces.map((where) => ({ place: where }))
  await using place = await placeWith(sandbox.url, forgetful, plugins)
  const server = place.start(anyPorts)
  const { clients, operators } = await addressesOf(server)
  expect(await caller(clients)(2)).toContain('question 2')
  await (await fetch(`${operators}/readyz?verbose`)).text()
  await until(() => strays(server.output.stderr).length >= forgetfulPlaces.length - 2)
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  const expected = forgetfulPlaces.filter((where) => where !== 'onDispose')
  expect(new Set(strays(server.output.stderr))).toEqual(new Set(expected.map(named)))
})

test('so is one that a dialect forgets, in its functions and in what watches a stream', async () => {
  await using sandbox = await startSandbox()
  const places = ['understand', 'classify']
  const dialects = places.map((where) => `forgetful-${where}`)
  const plugins = places.map((where) => ({ place: where }))
  await using place = await placeWith(sandbox.url, forgetful, plugins, dialects)
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  for (const dialect of dialects) {
    const answer = await fetch(`${clients}/${dialect}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model, stream: true, messages: ask(1) }),
    })
    expect(await answer.text()).toContain('[DONE]')
  }
  await until(() => strays(server.output.stderr).length === 2)
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(new Set(strays(server.output.stderr))).toEqual(new Set(places.map(named)))
})
