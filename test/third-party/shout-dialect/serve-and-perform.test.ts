import { expect, test } from 'vitest'

import { definePlugin, type Outcome } from '../../../src/index.ts'
import { type Answer, answerJson } from '../../../src/testing/index.ts'
import { speak, stage } from './speaking.ts'

const recording = { ticket: 't 1', sound: 'UklGRg==' }

/** Hands out a ticket, and the recording for the ticket. */
const recorder: Answer = (response, request) =>
  answerJson(request.method === 'POST' ? { ticket: 't 1' } : recording)(response, request)

const recordings = { path: '/shout/v1/recordings' }

test('a client lists the voices that its key may use, and no account is asked', async () => {
  const models = { 'low-c': 'c', 'low-d': 'd', 'high-c': 'cc', '*': '*' }
  const keys = [{ id: 'basses', secret: 'secret-of-basses', models: ['low-*'] }]
  await using scene = await stage([recorder], { models }, { keys })
  const list = async (path: string) => {
    const headers = { 'x-megaphone': 'secret-of-basses' }
    const response = await fetch(scene.gateway.url + path, { headers })
    return { status: response.status, body: await response.json() }
  }

  expect(await list('/shout/v1/voices')).toEqual({
    status: 200,
    body: { voices: ['low-c', 'low-d'] },
  })
  expect(await list('/shout/v1/voices/low-d')).toMatchObject({ body: { voices: ['low-d'] } })
  expect((await fetch(`${scene.gateway.url}/shout/v1/voices`)).status).toBe(401)
  expect(scene.accounts[0]!.requests).toEqual([])
})

test('a client gets a recording in one answer, made in two calls to one account', async () => {
  const outcomes: Outcome[] = []
  const meter = definePlugin({
    name: 'meter',
    onOutcome: ({ outcome }) => void outcomes.push(outcome),
  })
  await using scene = await stage([recorder], { models: { stentor: 's-1' } }, { plugins: [meter] })
  const response = await speak(scene.gateway, recordings)

  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(recording)
  expect(response.headers.get('x-ticket')).toBe('t 1')
  expect(response.headers.get('x-dragoman-account')).toBe('first')
  const [start, fetched] = scene.accounts[0]!.requests
  expect(`${start!.method} ${start!.url}`).toBe('POST /shout/v1/recordings')
  expect(start!.body.toString()).toBe('{"voice":"s-1","words":"hear me"}')
  expect(`${fetched!.method} ${fetched!.url}`).toBe('GET /shout/v1/recordings/t%201')
  expect(fetched!.body.toString()).toBe('')
  expect(fetched!.headers).toMatchObject({ 'x-megaphone': 'key-of-first' })
  expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed'])
})

test('an account that fails in the second call ends in the dialect’s envelope', async () => {
  await using scene = await stage([
    (response, request) =>
      request.method === 'POST'
        ? answerJson({ ticket: 't' })(response, request)
        : answerJson({ error: { message: 'tape torn' } }, { status: 500 })(response, request),
  ])
  const response = await speak(scene.gateway, recordings)
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ oops: 'tape torn', number: 500 })
  expect((await scene.gateway.logged(1))[0]).toMatchObject({ attempts: 2, account: 'first' })
})

test('an account that gives no ticket is told of as an invalid reply', async () => {
  await using scene = await stage([answerJson({})])
  const response = await speak(scene.gateway, recordings)
  expect(response.status).toBe(502)
  expect(await response.json()).toMatchObject({ reason: 'upstream_invalid_reply' })
  expect(scene.accounts[0]!.requests).toHaveLength(1)
})

test('a recording is checked as words are before anybody is asked', async () => {
  await using scene = await stage([recorder])
  const response = await speak(scene.gateway, { ...recordings, fields: { words: 1 } })
  expect(response.status).toBe(400)
  expect(scene.accounts[0]!.requests).toEqual([])
})

test('the operations stand in the description of the gateway', async () => {
  await using scene = await stage([recorder])
  const response = await fetch(`${scene.gateway.url}/openapi.json`)
  const { paths } = (await response.json()) as { paths: object }
  expect(paths).toMatchObject({
    '/shout/v1/say': { post: { operationId: 'shout.say', tags: ['shout'] } },
    '/shout/v1/voices': { get: { operationId: 'shout.voices' } },
    '/shout/v1/recordings': { post: { operationId: 'shout.record' } },
  })
})
