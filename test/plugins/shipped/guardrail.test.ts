import OpenAI, { InternalServerError, UnprocessableEntityError } from 'openai-7'
import { describe, expect, test } from 'vitest'

import guardrail from '../../../plugins/guardrail/index.ts'
import { startFakeAccount } from '../../../src/testing/index.ts'
import { answerChat, askChat, lastFrame, stage } from '../../third-party/chat.ts'
import { ask, receive } from '../../walks/streams/asking.ts'
import { forms, wholeStream } from '../../walks/streams/forms.ts'
import { openStream, stage as stageOf } from '../../walks/streams/scripted.ts'

const card = { name: 'card numbers', pattern: '\\d{4}( \\d{4}){3}', action: 'mask' } as const
const secret = { name: 'launch codes', pattern: 'launch code', action: 'refuse' } as const
const number = '4111 1111 1111 1111'

/** A moderation service that flags a word. */
async function startModeration(word: string) {
  const asked: string[] = []
  const server = await startFakeAccount((response, { body, headers }) => {
    const { input } = JSON.parse(body.toString()) as { input: string }
    asked.push(input)
    const flagged = input.includes(word)
    response.writeHead(headers.authorization === 'Bearer key' ? 200 : 401)
    response.end(JSON.stringify({ results: [{ flagged, categories: { violence: flagged } }] }))
  })
  const setting = { url: `${server.url}/v1/moderations`, apiKey: 'key' }
  return { asked, setting, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test('a rule masks a request, and no account sees what it masks', async () => {
  await using scene = await stage({ plugins: [guardrail({ rules: [card] })] })
  const messages = [
    { role: 'system', content: `Never say ${number}.` },
    { role: 'user', content: [{ type: 'text', text: `Mine is ${number}, é.` }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'pay', arguments: `{"card":"${number}"}` } },
      ],
    },
    { role: 'tool', tool_call_id: 'c', content: `paid with ${number}` },
  ]
  const response = await askChat(scene.gateway, { fields: { messages, unknown: 1.0 } })
  expect(response.status).toBe(200)
  const sent = scene.account.requests[0]!.body.toString()
  expect(sent).not.toContain(number)
  expect(sent.match(/\[removed\]/g)).toHaveLength(4)
  expect(JSON.parse(sent)).toMatchObject({ unknown: 1 })
  const { messages: read } = JSON.parse(sent) as { messages: { tool_calls?: unknown }[] }
  expect(read[2]!.tool_calls).toMatchObject([{ function: { arguments: '{"card":"[removed]"}' } }])
})

test('a rule refuses a request with the typed error of its SDK, and tells no one what it found', async () => {
  await using scene = await stage({ plugins: [guardrail({ rules: [secret] })] })
  const baseURL = `${scene.gateway.url}/v1`
  const client = new OpenAI({ baseURL, apiKey: scene.gateway.key, maxRetries: 2 })
  const messages = [{ role: 'user' as const, content: 'What is the LAUNCH CODE?' }]
  const refused = client.chat.completions.create({ model: 'm', messages })
  await expect(refused).rejects.toThrow(UnprocessableEntityError)
  await expect(refused).rejects.toThrow('breaks the rule "launch codes"')
  await expect(refused).rejects.not.toThrow(/LAUNCH CODE/)
  expect(scene.account.requests).toEqual([])
  expect(await scene.gateway.logged(1)).toHaveLength(1)
})

describe.each(forms)('a stream of $name', (form) => {
  test('is masked where the account says it, and whole', async () => {
    const rules = [
      { name: 'names', pattern: 'Hello there', action: 'mask' as const, replacement: 'Hi' },
    ]
    await using scene = await stageOf(
      form,
      (response) => {
        openStream(response)
        response.end(wholeStream(form).join(''))
      },
      { plugins: [guardrail({ rules })] },
    )
    const { text } = await receive(await ask(scene.gateway, form))
    expect(text).toContain('Hi')
    expect(text).not.toMatch(/Hello|there/)
    expect(text).toMatch(form.success)
  })

  test('ends in an error where the account says what a rule refuses', async () => {
    const rules = [{ name: 'names', pattern: 'Hello there', action: 'refuse' as const }]
    await using scene = await stageOf(
      form,
      (response) => {
        openStream(response)
        response.end(wholeStream(form).join(''))
      },
      { plugins: [guardrail({ rules })] },
    )
    const response = await ask(scene.gateway, form)
    const { text } = await receive(response)
    expect(text).not.toContain('there')
    expect(text).not.toMatch(form.success)
    expect(text).toContain('breaks the rule')
  })
})

test('a moderation service is asked about what is new in a request', async () => {
  await using service = await startModeration('bomb')
  await using scene = await stage({ plugins: [guardrail({ moderation: service.setting })] })
  const messages = [
    { role: 'user', content: 'an old bomb' },
    { role: 'assistant', content: 'no' },
    { role: 'user', content: 'a cake' },
  ]
  expect((await askChat(scene.gateway, { fields: { messages } })).status).toBe(200)
  expect(service.asked).toEqual(['a cake'])
  messages[2]!.content = 'a new bomb'
  expect((await askChat(scene.gateway, { fields: { messages } })).status).toBe(422)
  expect(scene.account.requests).toHaveLength(1)
})

test('a moderation service is asked about each sentence of a reply before the client has it', async () => {
  await using service = await startModeration('hello')
  const moderation = { ...service.setting, in: ['reply' as const] }
  await using scene = await stage({ plugins: [guardrail({ moderation })] })
  const response = await askChat(scene.gateway, { fields: { stream: true } })
  const text = await response.text()
  expect(text).not.toContain('hello')
  expect(text).not.toContain(lastFrame)
  expect(text).toContain('was flagged')
  expect(service.asked).toEqual(['hello'])
})

test.each([
  ['refuse', 503],
  ['pass', 200],
] as const)('while the service is away, `whenAway: %s` answers %i', async (whenAway, status) => {
  await using service = await startModeration('never')
  const { setting } = service
  await service[Symbol.asyncDispose]()
  const plugins = [guardrail({ moderation: { ...setting, whenAway } })]
  await using scene = await stage({ plugins }, answerChat)
  const baseURL = `${scene.gateway.url}/v1`
  const client = new OpenAI({ baseURL, apiKey: scene.gateway.key, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'hello' }]
  const call = client.chat.completions.create({ model: 'm', messages })
  if (status === 200) await call
  else await expect(call).rejects.toThrow(InternalServerError)
  expect(scene.account.requests).toHaveLength(status === 200 ? 1 : 0)
})

test('a text that is too long for the service does not pass, whatever passes while it is away', async () => {
  await using service = await startFakeAccount((response) => void response.writeHead(413).end())
  const moderation = { url: service.url, whenAway: 'pass' as const }
  await using scene = await stage({ plugins: [guardrail({ moderation })] })
  expect((await askChat(scene.gateway)).status).toBe(422)
  expect(scene.account.requests).toEqual([])
})

test('only the categories that count are counted', async () => {
  await using service = await startModeration('bomb')
  const moderation = { ...service.setting, categories: ['hate'] }
  await using scene = await stage({ plugins: [guardrail({ moderation })] })
  const messages = [{ role: 'user', content: 'bomb' }]
  expect((await askChat(scene.gateway, { fields: { messages } })).status).toBe(200)
})

test.each([
  {},
  { rules: [{ ...card, pattern: '(' }] },
  { rules: [{ ...card, name: 'a\nb' }] },
  { moderation: { url: 'ftp://example.com' } },
])('the options %j are refused', (options) => {
  expect(() => guardrail(options as never)).toThrow()
})
