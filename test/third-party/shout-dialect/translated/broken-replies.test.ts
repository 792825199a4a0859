import { describe, expect, test } from 'vitest'

import { formatFrame } from '../../../../src/dialect-kit/index.ts'
import { type Answer, answerJson, answerStream } from '../../../../src/testing/index.ts'
import { breath, stage, words } from '../speaking.ts'
import { clients, names } from './clients/index.ts'
import { Cough, shoutClient } from './clients/shout.ts'
import { stageForeign } from './stage.ts'

const ask = { stream: true, model: 'stentor' }

/** Accidents at an account after some words. */
const accidents = [
  { what: 'drops the connection', directive: 'cut=9', message: /connection/ },
  { what: 'ends without a terminal event', directive: 'eof=9', message: /ended before/ },
  { what: 'sends a broken event', directive: 'malformed=9', message: /malformed event/ },
  { what: 'fails inside the stream', directive: 'error=9+message=hoarse', message: /hoarse/ },
]

describe.each(names)('a client of the shout dialect', (name) => {
  test.each(accidents)(`hears a cough where an account of ${name} $what`, async (accident) => {
    await using scene = await stageForeign(name)
    const { url, key } = scene.gateway
    const response = await fetch(`${url}/shout/v1/say`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-megaphone': key },
      body: JSON.stringify({
        voice: `sandbox/words=20+${accident.directive}`,
        words: 'hear me',
        loud: true,
      }),
    })
    const text = await response.text()
    expect(text).toMatch(/^event: breath\n/)
    expect(text).toContain('event: word\n')
    expect(text).toMatch(/event: cough\ndata: .*\n\n$/)
    expect(text).not.toContain('hush')
    const cough = JSON.parse(text.split('event: cough\ndata: ')[1]!) as { oops: string }
    expect(cough.oops).toMatch(accident.message)
    expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'broken' })
  })

  test(`reads the error of an account of ${name} that breaks before its first word`, async () => {
    await using scene = await stageForeign(name)
    for (const stream of [true, false]) {
      for (const directive of ['status=503', 'cut=0', 'badjson']) {
        const model = `sandbox/${directive}`
        const said = shoutClient.open({ ...scene.gateway, model, stream }).say('hear me')
        const error = await said.catch((raised: unknown) => raised)
        expect(error).toBeInstanceOf(Cough)
        expect((error as Cough).number).toBeGreaterThanOrEqual(502)
      }
    }
  })
})

type Ending = (response: Parameters<Answer>[0]) => void

const cough = formatFrame('cough', { oops: 'hoarse', number: 503 })
const nameless = formatFrame('call', { id: 'call_1', with: {} })

/** Says some words, and once they are on their way the stream ends like this. */
function sayThen(ending: Ending): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write([breath, ...words].join(''), () => ending(response))
  }
}

const endings: { how: string; ending: Ending }[] = [
  { how: 'is cut', ending: ({ socket }) => socket?.destroySoon() },
  { how: 'ends without a hush', ending: (response) => response.end() },
  { how: 'coughs', ending: (response) => response.end(cough) },
  {
    how: 'coughs and falls silent',
    ending: (response) => response.end(`${cough}event: hush\ndata: {}\n\n`),
  },
  { how: 'has a garbled word', ending: (response) => response.end('event: word\ndata: {"wo\n\n') },
  { how: 'ends inside a word', ending: (response) => response.end('event: word\ndata: {') },
  { how: 'calls a helper without a name', ending: (response) => response.end(nameless) },
]

/** Replies in place of a stream or of a whole reply. */
const refusals: { what: string; answer: Answer }[] = [
  { what: 'an error', answer: answerJson({ oops: 'hoarse', number: 503 }, { status: 503 }) },
  { what: 'an error in a good reply', answer: answerJson({ oops: 'hoarse', number: 503 }) },
  { what: 'no echo', answer: answerJson({ id: 'shout_1', voice: 'stentor' }) },
  { what: 'a nameless call', answer: answerJson({ echo: '', calls: [{ id: 'call_1' }] }) },
  { what: 'a list', answer: answerJson([]) },
  { what: 'no JSON', answer: answerJson('{"echo": "HEAR') },
]

describe.each(names)('a client of %s', (name) => {
  const client = clients[name]

  test.each(endings)('raises where the stream of a shout account $how', async ({ ending }) => {
    await using scene = await stage([sayThen(ending)])
    const said = client.open({ ...scene.gateway, ...ask }).say('hear me')
    await expect(said).rejects.toSatisfy(client.isRaised)
    const [line] = await scene.gateway.logged(1)
    expect(line).toMatchObject({ stream_end: 'broken', account_dialect: 'shout' })
  })

  test.each(refusals)('raises where a shout account answers $what', async ({ answer }) => {
    await using scene = await stage([answer])
    const said = client.open({ ...scene.gateway, ...ask, stream: false }).say('hear me')
    await expect(said).rejects.toSatisfy(client.isRaised)
    expect((await scene.gateway.logged(1))[0]!['status']).toBeGreaterThanOrEqual(500)
  })

  test('is served by the next account where a shout account coughs first', async () => {
    await using scene = await stage([
      answerStream([breath, cough]),
      answerStream([breath, ...words, formatFrame('hush', {})]),
    ])
    const said = await client.open({ ...scene.gateway, ...ask }).say('hear me')
    expect(said).toMatchObject({ text: 'HEARME', ending: client.done })
    expect(scene.accounts.map(({ requests }) => requests.length)).toEqual([1, 1])
  })
})
