import { connect } from 'node:net'

import { describe, expect, test } from 'vitest'

import { type Answer, answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import type { Part } from '../images/stage.ts'
import { audioFile, audioStage, paths, typesIn } from './stage.ts'

const file: Part = ['file', audioFile()]
const whisper: Part = ['model', 'whisper-1']
const said = 'Hello from the sandbox.'

describe.each([
  ['whisper-1', 'json', 'application/json'],
  ['whisper-1', 'text', 'text/plain; charset=utf-8'],
  ['whisper-1', 'srt', 'text/plain; charset=utf-8'],
  ['whisper-1', 'vtt', 'text/plain; charset=utf-8'],
  ['whisper-1', 'verbose_json', 'application/json'],
  ['gpt-4o-transcribe-diarize', 'diarized_json', 'application/json'],
])('%s in %s', (model, format, type) => {
  test('passes as the account has it', async () => {
    await using stage = await audioStage()
    const parts: Part[] = [file, ['model', model], ['response_format', format]]
    const response = await stage.form(parts, paths.transcriptions)
    const form = new FormData()
    for (const [name, value] of parts) form.append(name, value)
    const direct = await fetch(stage.sandbox.url + paths.transcriptions, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-key-a' },
      body: form,
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(await response.text()).toBe(await direct.text())
  })
})

test.each<[string, Part[]]>([
  ['the file first', [file, whisper, ['language', 'en']]],
  ['the file in the middle', [['language', 'en'], file, whisper]],
  ['the file last', [whisper, ['language', 'en'], file]],
])('parts come in any order: %s', async (_, parts) => {
  await using stage = await audioStage()
  const response = await stage.form(parts, paths.transcriptions)
  expect(await response.json()).toMatchObject({ text: said })
})

test('lists of a form reach the account', async () => {
  await using stage = await audioStage()
  const parts: Part[] = [
    file,
    whisper,
    ['response_format', 'verbose_json'],
    ['timestamp_granularities[]', 'word'],
    ['timestamp_granularities[]', 'segment'],
    ['temperature', '0.2'],
  ]
  expect((await stage.form(parts, paths.transcriptions)).status).toBe(200)
})

test.each<[string, Part[], object]>([
  ['seconds', [whisper], { audio_seconds: 2 }],
  ['tokens', [['model', 'gpt-4o-transcribe']], { input_tokens: 20, output_tokens: 4 }],
])('the usage in %s is known', async (_, parts, usage) => {
  await using stage = await audioStage()
  await (await stage.form([file, ...parts], paths.transcriptions)).text()
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ route: 'audio.transcribe', ...usage })
})

test('the usage of a text is unknown, not nothing', async () => {
  await using stage = await audioStage()
  await (
    await stage.form([file, whisper, ['response_format', 'text']], paths.transcriptions)
  ).text()
  const [line] = await stage.gateway.logged(1)
  for (const name of ['audio_seconds', 'input_tokens']) expect(line).not.toHaveProperty(name)
})

test('seconds that are no whole ones are rounded up, also those of the duration alone', async () => {
  await using account = await startFakeAccount(answerJson({ text: 'x', duration: 8.47 }))
  await using stage = await audioStage({
    accounts: [{ provider: 'openai', baseUrl: `${account.url}/v1` }],
  })
  await (await stage.form([file, whisper], paths.transcriptions)).text()
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ audio_seconds: 9 })
})

test('a stream passes, and its usage is known', async () => {
  await using stage = await audioStage()
  const parts: Part[] = [file, ['model', 'gpt-4o-transcribe'], ['stream', 'true']]
  const response = await stage.form(parts, paths.transcriptions)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const delta = 'transcript.text.delta'
  const types = typesIn(await response.text())
  expect(types).toEqual([delta, delta, delta, delta, 'transcript.text.done'])
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ stream_end: 'complete', input_tokens: 20, output_tokens: 4 })
})

test('a stream of speakers passes', async () => {
  await using stage = await audioStage()
  const parts: Part[] = [
    file,
    ['model', 'gpt-4o-transcribe-diarize'],
    ['stream', 'true'],
    ['response_format', 'diarized_json'],
    ['known_speaker_names[]', 'agent'],
    ['known_speaker_references[]', 'data:audio/wav;base64,AAAA'],
  ]
  const types = typesIn(await (await stage.form(parts, paths.transcriptions)).text())
  expect(types).toContain('transcript.text.segment')
  expect(types.at(-1)).toBe('transcript.text.done')
})

test.each(['json', 'text'])(
  'a model that ignores `stream` (%s) ends a stream all the same',
  async (format) => {
    await using stage = await audioStage()
    const parts: Part[] = [file, whisper, ['stream', 'true'], ['response_format', format]]
    const response = await stage.form(parts, paths.transcriptions)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const text = await response.text()
    expect(typesIn(text)).toEqual(['transcript.text.done'])
    expect(text).toContain(said)
    const [line] = await stage.gateway.logged(1)
    expect(line).toMatchObject({ stream_end: 'complete' })
  },
)

test.each(['cut=2', 'half=1', 'eof=2', 'malformed=2', 'error=2'])(
  'a stream that breaks (%s) ends with an error',
  async (steering) => {
    await using stage = await audioStage()
    const parts: Part[] = [file, ['model', `sandbox/${steering}`], ['stream', 'true']]
    const text = await (await stage.form(parts, paths.transcriptions)).text()
    expect(text).toContain('event: error')
    expect(text).not.toContain('transcript.text.done')
    const [line] = await stage.gateway.logged(1)
    expect(line).toMatchObject({ stream_end: 'broken' })
  },
)

const cut: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' })
  response.write('1\n00:00')
  setTimeout(() => response.destroy(), 20)
}

test.each<[string, Answer]>([
  ['a text that is cut off', cut],
  ['an error with status 200', answerJson({ error: { message: 'x' } })],
  ['JSON without a text', answerJson({})],
  [
    'a page',
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  ],
  ['a server error', answerJson({ error: { message: 'x' } }, { status: 503 })],
])('after %s another account transcribes', async (_, answer) => {
  await using broken = await startFakeAccount(answer)
  await using good = await startFakeAccount(
    (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('WEBVTT\n'),
  )
  const openai = (url: string) => ({ provider: 'openai', baseUrl: `${url}/v1` })
  await using stage = await audioStage({
    accounts: [
      { id: 'a', ...openai(broken.url) },
      { id: 'b', priority: 1, ...openai(good.url) },
    ],
  })
  const parts: Part[] = [file, whisper, ['response_format', 'vtt']]
  const response = await stage.form(parts, paths.transcriptions)
  expect([response.status, response.headers.get('x-dragoman-account')]).toEqual([200, 'b'])
  expect(await response.text()).toBe('WEBVTT\n')
  // The whole file was there for both.
  expect(good.requests[0]!.body.length).toBe(broken.requests[0]!.body.length)
})

test('a transcript of silence may be empty', async () => {
  await using account = await startFakeAccount(
    (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(),
  )
  await using stage = await audioStage({
    accounts: [{ provider: 'openai', baseUrl: `${account.url}/v1` }],
  })
  const response = await stage.form(
    [file, whisper, ['response_format', 'srt']],
    paths.transcriptions,
  )
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test('a text shows no key of its account', async () => {
  await using account = await startFakeAccount(
    (response) =>
      void response.writeHead(200, { 'content-type': 'text/plain' }).end('say canary-key-of-it'),
  )
  await using stage = await audioStage({
    accounts: [{ provider: 'openai', baseUrl: `${account.url}/v1`, apiKey: 'canary-key-of-it' }],
  })
  const response = await stage.form(
    [file, whisper, ['response_format', 'text']],
    paths.transcriptions,
  )
  expect(await response.text()).toBe('say [secret]')
})

test('a translation passes', async () => {
  await using stage = await audioStage()
  const response = await stage.form([file, whisper], paths.translations)
  expect(await response.json()).toMatchObject({ text: said })
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ route: 'audio.translate', audio_seconds: 2 })
})

test.each<[string, Part[], string]>([
  ['no file', [whisper], 'file'],
  ['two files', [file, file, whisper], 'file'],
  // A server may read these in place of those that are checked.
  ['a list of files beside the file', [file, ['file[]', audioFile()], whisper], 'file'],
  ['a file by another name', [['File', audioFile()], whisper], 'file'],
  ['a list of models beside the model', [file, whisper, ['model[]', 'whisper-2']], 'model'],
  ['a text in place of a file', [['file', 'x'], whisper], 'file'],
  ['no model', [file], 'model'],
  ['a blank model', [file, ['model', '']], 'model'],
  ['two models', [file, whisper, whisper], 'model'],
  ['an unknown format', [file, whisper, ['response_format', 'docx']], 'response_format'],
  ['a word for a switch', [file, whisper, ['stream', 'yes']], 'stream'],
  ['a temperature above 1', [file, whisper, ['temperature', '1.5']], 'temperature'],
  // The account's own limits.
  [
    'a format of another model',
    [file, ['model', 'gpt-4o-transcribe'], ['response_format', 'srt']],
    'response_format',
  ],
  ['an unknown ending', [['file', audioFile(10, 'talk.txt')], whisper], 'file'],
  ['an unknown field', [file, whisper, ['colour', 'red']], 'colour'],
])('%s is refused with the field', async (_, parts, param) => {
  await using stage = await audioStage()
  const response = await stage.form(parts, paths.transcriptions)
  const { error } = (await response.json()) as { error: { param?: string } }
  expect([response.status, error.param]).toEqual([400, param])
})

test('a file above the limit of the account is too large', async () => {
  await using stage = await audioStage()
  const large: Part = ['file', audioFile(25 * 1024 * 1024 + 1)]
  expect((await stage.form([large, whisper], paths.transcriptions)).status).toBe(413)
  await until(() => stage.gateway.gateway.spooled() === 0)
})

test('JSON is no transcription', async () => {
  await using stage = await audioStage()
  const response = await stage.json({ model: 'whisper-1' }, paths.transcriptions)
  expect(response.status).toBe(415)
})

test('a key transcribes with no model that it may not use', async () => {
  await using account = await startFakeAccount(answerJson({ text: 'x' }))
  await using stage = await audioStage({
    accounts: [{ provider: 'openai', baseUrl: `${account.url}/v1` }],
    keys: [{ id: 'test', secret: 'test-secret', models: ['gpt-*'] }],
  })
  expect((await stage.form([file, whisper], paths.transcriptions)).status).toBe(404)
  expect(account.requests).toEqual([])
  await until(() => stage.gateway.gateway.spooled() === 0)
})

test('an upload that breaks off leaves nothing behind, and reaches no account', async () => {
  await using stage = await audioStage()
  const { url, key } = stage.gateway
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(
    [
      `POST ${paths.transcriptions} HTTP/1.1`,
      `host: ${hostname}`,
      `authorization: Bearer ${key}`,
      'content-type: multipart/form-data; boundary=b',
      'content-length: 8000000',
      '',
      '--b',
      'content-disposition: form-data; name="file"; filename="talk.mp3"',
      '',
      '',
    ].join('\r\n'),
  )
  socket.write(Buffer.alloc(3_000_000))
  await until(() => stage.gateway.gateway.spooled() > 0)
  socket.destroy()
  await until(() => stage.gateway.gateway.spooled() === 0 && stage.gateway.gateway.inflight() === 0)
  expect(stage.sandbox.requests).toEqual([])
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ stream_end: 'client_gone' })
})
