import { expect, test } from 'vitest'

import { formatFrame } from '../../../src/index.ts'
import { type Answer, answerJson, answerStream, until } from '../../../src/testing/index.ts'
import { answerShout, breath, hush, loud, speak, stage, whole, words } from './speaking.ts'

type Ending = (response: Parameters<Answer>[0]) => unknown

/** What was written in this turn reaches the socket at its end. */
const cut: Ending = (response) => setImmediate(() => response.socket?.destroySoon())
const end =
  (last?: string): Ending =>
  (response) =>
    response.end(last)

/** Writes these events, and when they have been heard the stream ends in its own way. */
function begin(events: readonly string[], ending: Ending, heard?: Promise<void>): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(events.join(''))
    await heard
    ending(response)
  }
}

const refuse = (status: number, oops: string) =>
  answerJson({ error: { message: oops } }, { status })

const cough = formatFrame('cough', { oops: 'hoarse', number: 503 })

test('a client is told in the dialect what is wrong with its words', async () => {
  await using scene = await stage()
  const response = await speak(scene.gateway, { fields: { words: '' } })
  expect(response.status).toBe(400)
  expect(response.headers.get('x-shout-oops')).toBe('invalid_value')
  expect(await response.json()).toMatchObject({ number: 400, about: 'words' })
  expect(scene.accounts[0]!.requests).toEqual([])
})

test('an unknown key is told so in the dialect', async () => {
  await using scene = await stage()
  const response = await speak(scene.gateway, { headers: { 'x-megaphone': 'wrong' } })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ number: 401, reason: 'unauthenticated' })
})

test('an error of the account leaves in the dialect’s envelope', async () => {
  await using scene = await stage([refuse(422, 'too quiet')])
  const response = await speak(scene.gateway)
  expect(response.status).toBe(422)
  expect(await response.json()).toEqual({
    oops: 'too quiet',
    number: 422,
    reason: 'upstream_rejected',
  })
})

test.each<[string, Ending, number]>([
  ['is cut', cut, 502],
  ['ends without a hush', end(), 502],
  ['has a garbled word', end(`data: {"wor\n\n${hush}`), 502],
  ['ends in the middle of a word', end('event: word\ndata: {'), 502],
  ['coughs', end(cough + hush), 503],
])('a stream that %s ends with a cough, never with a hush', async (_, ending, number) => {
  const heard = Promise.withResolvers<void>()
  await using scene = await stage([begin([breath, ...words], ending, heard.promise)])
  const response = await speak(scene.gateway, loud)
  let text = ''
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk).toString()
    if (text.includes('ME')) heard.resolve()
  }
  const good = [breath, ...words].join('')
  expect(text.slice(0, good.length)).toBe(good)
  const tail = text.slice(good.length)
  expect(tail).toMatch(/^event: cough\ndata: .*\n\n$/)
  expect(JSON.parse(tail.split('data: ')[1]!)).toMatchObject({ number })
  expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'broken' })
})

test('a silent stream draws breath', async () => {
  const rest = Promise.withResolvers<void>()
  await using scene = await stage(
    [
      async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(words[0])
        await rest.promise
        response.end(words[1] + hush)
      },
    ],
    {},
    { timeouts: { keepAliveMs: 50 } },
  )
  const response = await speak(scene.gateway, loud)
  let text = ''
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk).toString()
    if (text.includes('breath')) rest.resolve()
  }
  expect(text.replaceAll('event: breath\ndata: {}\n\n', '')).toBe([...words, hush].join(''))
})

test.each([
  ['refuses', refuse(503, 'asleep')],
  ['refuses its key', refuse(401, 'who are you?')],
  ['coughs before its first word', answerStream([breath, cough])],
  ['is cut before its first word', begin([breath], cut)],
])('another account speaks where the first %s', async (_, first) => {
  await using scene = await stage([first, answerShout])
  const response = await speak(scene.gateway, loud)
  expect(response.headers.get('x-dragoman-account')).toBe('second')
  expect(await response.text()).toBe(whole.join(''))
  expect(scene.accounts.map(({ requests }) => requests.length)).toEqual([1, 1])
})

test('a refusal of the words themselves is final', async () => {
  await using scene = await stage([refuse(400, 'rude'), answerShout])
  expect((await speak(scene.gateway)).status).toBe(400)
  expect(scene.accounts[1]!.requests).toEqual([])
})

test('the account’s key and address are in no error', async () => {
  const tell: Answer = (response, { headers }) =>
    answerJson(
      { error: { message: `${headers.host} got ${String(headers['x-megaphone'])}` } },
      { status: 422 },
    )(response, { headers } as Parameters<Answer>[1])
  await using scene = await stage([tell])
  const text = await (await speak(scene.gateway)).text()
  expect(text).toContain('got')
  expect(text).not.toContain('key-of-first')
  expect(text).not.toContain(new URL(scene.accounts[0]!.url).host)
})

test('an account is let go when the client leaves', async () => {
  await using scene = await stage([
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(breath + words[0])
    },
  ])
  const response = await speak(scene.gateway, loud)
  await response.body!.cancel()
  await until(() => scene.accounts[0]!.requests[0]!.aborted)
})
