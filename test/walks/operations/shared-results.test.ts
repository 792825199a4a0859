import { expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { createGate } from '../streams/scripted.ts'
import { fakeStage, type FakeStage } from '../videos/fake.ts'
import { askOperation, type OperationAnswer } from './stage.ts'

const encodedVideo = Buffer.alloc(3_000, 7).toString('base64')
const result = { generateVideoResponse: { generatedSamples: [{ video: { encodedVideo } }] } }

/** A gateway before an account whose operations are done, and how often it is asked about them. */
async function sharedStage() {
  const seen = { asked: 0, now: 0, most: 0, gate: createGate() }
  seen.gate.open()
  let operations = 0
  const stage = await fakeStage({
    provider: 'gemini',
    answer: async (response, request) => {
      if (request.method === 'POST') {
        return answerJson({ name: `models/m/operations/${operations++}` })(response, request)
      }
      seen.asked++
      seen.most = Math.max(seen.most, ++seen.now)
      response.once('close', () => seen.now--)
      await seen.gate.opened
      return answerJson({ name: request.url, done: true, response: result })(response, request)
    },
  })
  return {
    ...stage,
    seen,
    /** Orders a video and waits until it is known to be done; the account is counted from then on. */
    async finished(): Promise<string> {
      const body = { instances: [{ prompt: 'a cat' }] }
      const ordered = await ask(stage, '/v1beta/models/m:predictLongRunning', body)
      await ask(stage, `/v1beta/${ordered.name}`)
      await until(() => seen.now === 0)
      Object.assign(seen, { asked: 0, most: 0, gate: createGate() })
      return ordered.name
    },
  }
}

/** As clients of Google's SDKs do, which is all that is needed of a stage of theirs. */
function ask(stage: FakeStage, path: string, body?: object) {
  return askOperation(stage as never, path, body && { body })
}

function bytesIn({ response }: OperationAnswer): string | undefined {
  return response?.generatedVideos[0]?.videoBytes
}

test('clients that ask for one result at the same time have its account asked once', async () => {
  await using stage = await sharedStage()
  const name = await stage.finished()
  const polls = Array.from({ length: 10 }, () => ask(stage, `/v1beta/${name}`))
  await until(() => stage.gateway.gateway.inflight() === 10 && stage.seen.asked > 0)
  stage.seen.gate.open()
  for (const poll of await Promise.all(polls)) expect(bytesIn(poll)).toBe(encodedVideo)
  expect(stage.seen.most).toBe(1)
  expect(stage.seen.asked).toBeLessThan(10)
})

test('a client that leaves takes nothing from those that asked with it', async () => {
  await using stage = await sharedStage()
  const name = await stage.finished()
  const leaving = new AbortController()
  const first = stage.ask(`/v1beta/${name}`, { signal: leaving.signal })
  await until(() => stage.seen.asked === 1)
  const second = ask(stage, `/v1beta/${name}`)
  await until(() => stage.gateway.gateway.inflight() === 2)
  leaving.abort()
  await expect(first).rejects.toThrow()
  await until(() => stage.gateway.gateway.inflight() === 1)
  stage.seen.gate.open()
  expect(bytesIn(await second)).toBe(encodedVideo)
})

test('no more than two results of one key are read at once, and everybody gets theirs', async () => {
  await using stage = await sharedStage()
  const names: string[] = []
  for (let count = 0; count < 9; count++) {
    stage.seen.gate.open()
    names.push(await stage.finished())
  }
  const polls = names.map((name) => ask(stage, `/v1beta/${name}`))
  await until(() => stage.gateway.gateway.inflight() === 9 && stage.seen.now === 2)
  stage.seen.gate.open()
  for (const poll of await Promise.all(polls)) expect(bytesIn(poll)).toBe(encodedVideo)
  expect(stage.seen).toMatchObject({ asked: 9, most: 2 })
})

test('a client that asks for the head alone has nothing fetched', async () => {
  await using stage = await sharedStage()
  const name = await stage.finished()
  const id = name.slice(name.lastIndexOf('/') + 1)
  for (const path of [name, `files/${id}0:download`]) {
    const head = await stage.ask(`/v1beta/${path}`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, null])
  }
  const download = await stage.ask(`/v1/videos/video_${id}/content`, { method: 'HEAD' })
  expect([download.status, download.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  expect(stage.seen.asked).toBe(0)
})
