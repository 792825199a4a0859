import { request } from 'node:http'

import { expect, test } from 'vitest'

import { videoOperations } from '../../../plugins/dialects/video-operations/index.ts'
import { compileSnapshot } from '../../../src/accounts/compile.ts'
import { definePlugin } from '../../../src/contract/plugin.ts'
import { createGateway } from '../../../src/gateway.ts'
import { listen } from '../../../src/http/listen.ts'
import { createPublicUrl } from '../../../src/kit/public-url.ts'
import type { Job } from '../../../src/jobs/job.ts'
import { createJobs, jobsNamespace } from '../../../src/jobs/jobs.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import type { VideoStage } from '../videos/stage.ts'
import { developersOf, done, operationStage, order } from './stage.ts'

/** Asks for a path with headers that only a client of ill will sends. */
function askWith({ gateway }: VideoStage, path: string, headers: Record<string, string>) {
  return new Promise<string>((resolve, reject) => {
    const all = { ...headers, 'x-goog-api-key': gateway.key }
    const asked = request(gateway.url + path, { headers: all }, (reply) => {
      let text = ''
      reply.on('data', (chunk: Buffer) => (text += chunk.toString()))
      reply.on('end', () => resolve(text))
    })
    asked.on('error', reject).end()
  })
}

const silent = { debug() {}, warn() {}, error() {}, info() {} }
const usual = {
  asksForUsage: true,
  weight: 1,
  priority: 0,
  enabled: true,
  replyModel: 'account',
} as const
const anybody = definePlugin({
  name: 'anybody',
  onAuthenticate: () => ({ keyId: 'test', mayUse: () => true }),
})

const evil = {
  host: 'evil.example',
  'x-forwarded-host': 'evil.example',
  forwarded: 'host=evil.example',
}

test('what a client says of the gateway’s host is in no URI of a video', async () => {
  await using stage = await operationStage()
  const name = await order(stage, 'sandbox/polls=0')
  const operation = await askWith(stage, `/v1beta/${name}`, evil)
  const { host } = new URL(stage.gateway.url)
  expect(operation).toContain(`https://${host}/v1beta/files/`)
  const [file] = /files\/\w+/.exec(operation) ?? []
  const described = await askWith(stage, `/v1beta/${file}`, evil)
  expect(described).toContain(`https://${host}/v1beta/${file}:download?alt=media`)
  expect(operation + described).not.toContain('evil')
})

test('Google’s SDKs follow URIs of a gateway that has no public address', async () => {
  await using stage = await operationStage()
  const { response } = await done(stage, await order(stage, 'sandbox/polls=0'))
  const uri = response?.generatedVideos[0]?.uri ?? ''
  expect(new URL(uri).host).toBe(new URL(stage.gateway.url).host)
  for (const client of Object.values(developersOf(stage))) {
    const file = await client.files.get({ name: /files\/\w+/.exec(uri)?.[0] ?? '' })
    expect([file.uri, file.downloadUri]).toEqual([uri.replace(/:download.*/, ''), uri])
  }
})

test('a gateway that others know by names of their own orders no video that it cannot name', async () => {
  await using resources = new AsyncDisposableStack()
  const account = resources.use(await startFakeAccount(answerJson({ name: 'operations/1' })))
  const publicUrl = createPublicUrl()
  publicUrl.listening('http://0.0.0.0:8787')
  const jobs = createJobs({ records: openMemoryStore().records<Job>(jobsNamespace), log: silent })
  const plugins = [videoOperations({ jobs, publicUrl }), anybody]
  const gemini = { id: 'a', provider: 'gemini', baseUrl: account.url, models: ['veo'] }
  const dialects = plugins.flatMap(({ dialects = [] }) => dialects)
  const { snapshot } = compileSnapshot([{ ...gemini, ...usual }], {}, dialects)
  const gateway = createGateway({ plugins, snapshot })
  resources.defer(() => gateway.dispose())
  const listener = await listen(gateway.listener, { host: '127.0.0.1', port: 0 })
  resources.defer(() => listener.close())
  resources.defer(() => listener.closeNow())
  const create = () =>
    fetch(`${listener.url}/v1beta/models/veo:predictLongRunning`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ instances: [{ prompt: 'a cat' }] }),
    })
  const refused = await create()
  expect([refused.status, await refused.text()]).toEqual([500, expect.stringMatching(/publicUrl/)])
  expect(account.requests).toEqual([])
  publicUrl.listening(listener.url)
  expect((await create()).status).toBe(200)
})
