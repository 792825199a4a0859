import { expect } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { fetchWhenAllowed } from './fetch-when-allowed.ts'
import { completionOf } from './completion.ts'
import { type Following, type LiveEvent } from './live-client.ts'

export const topics = [
  'PULSE',
  'EXCHANGES',
  'ACCOUNTS',
  'CIRCUITS',
  'JOBS',
  'CONFIGURATION',
  'AUDIT',
]

export const key = 'secret-of-this-test'

export const completion = completionOf('fine')

/** An upstream with a model that works, one that fails, and videos in a state that a test sets. */
export async function startUpstream() {
  const video = { id: 'vid_1', object: 'video', status: 'queued', progress: 0 }
  const upstream = await startFakeAccount((response, request) => {
    if (request.url.includes('/videos')) return answerJson(video)(response, request)
    if (request.body.includes('broken')) {
      return answerJson({ error: { message: 'no' } }, { status: 500 })(response, request)
    }
    return answerJson(completion)(response, request)
  })
  const account = { provider: 'openai', baseUrl: `${upstream.url}/v1`, apiKey: 'account-canary' }
  const accounts = [
    { ...account, id: 'good', speaks: ['chat'], models: ['fine'] },
    { ...account, id: 'bad', speaks: ['chat'], models: ['broken'] },
    { ...account, id: 'studio', speaks: ['videos'], models: ['camera'] },
  ]
  return { upstream, video, accounts }
}

/** The addresses of a process, or of the workers of one. */
export interface Place {
  readonly url: string
  readonly adminUrl: string
  readonly token: string
}

export const headers = {
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  // Another connection each time, and so perhaps another worker.
  connection: 'close',
}

export async function call({ url }: Place, model: string): Promise<string> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'prompt-canary' }] })
  const reply = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
  await reply.text()
  return reply.headers.get('x-request-id') ?? ''
}

export async function order({ url }: Place): Promise<string> {
  const body = JSON.stringify({ model: 'camera', prompt: 'prompt-canary' })
  const reply = await fetch(`${url}/v1/videos`, { method: 'POST', headers, body })
  return ((await reply.json()) as { id: string }).id
}

export async function act({ adminUrl, token }: Place, mutation: string): Promise<string> {
  const reply = await fetchWhenAllowed(`${adminUrl}/graphql`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: `mutation { act: ${mutation} { __typename } }` }),
  })
  const { data } = (await reply.json()) as { data: { act: { __typename: string } } }
  return data.act.__typename
}

export function ofType({ events }: Following, type: string): LiveEvent[] {
  return events.filter(({ __typename }) => __typename === type)
}

/** The changes of a job, in their order. */
export function changesOf(all: Following, id: string): unknown[] {
  return ofType(all, 'JobChanged')
    .filter(({ jobId }) => id.endsWith(jobId!))
    .map(({ state, progress, forgotten, keyId }) => [state, progress, forgotten, keyId])
}

/** Follows a job from its order to its end: a change is one event, and a poll without one is none. */
export async function followJob(
  all: Following,
  other: Place,
  video: Awaited<ReturnType<typeof startUpstream>>['video'],
): Promise<void> {
  Object.assign(video, { status: 'queued', progress: 0 })
  const id = await order(other)
  const poll = async () => {
    const reply = await fetch(`${other.url}/v1/videos/${id}`, { headers })
    expect(reply.status).toBe(200)
    await reply.text()
  }
  const known = [['QUEUED', 0, false, 'team']]
  await until(() => changesOf(all, id).length === 1)
  await poll()
  Object.assign(video, { status: 'in_progress', progress: 40 })
  for (let times = 0; times < 4; times++) await poll()
  known.push(['IN_PROGRESS', 40, false, 'team'])
  await until(() => changesOf(all, id).length === 2)
  Object.assign(video, { status: 'completed', progress: 100 })
  expect(await act(other, `refreshJob(input: {id: "${id}"})`)).toBe('RefreshJobSuccess')
  known.push(['COMPLETED', 100, false, 'team'])
  await until(() => changesOf(all, id).length === 3)
  const forget = `forgetJob(input: {id: "${id}", reason: "asked for"})`
  expect(await act(other, forget)).toBe('ForgetJobSuccess')
  known.push(['COMPLETED', 100, true, 'team'])
  await until(() => changesOf(all, id).length === 4)
  expect(changesOf(all, id)).toEqual(known)
}

export const disable = 'disableAccount(input: {id: "good", reason: "x"})'

export const enable = 'enableAccount(input: {id: "good"})'

/** Causes an event of each topic at a place, for a subscriber of any process. */
export async function causeAll(all: Following, other: Place): Promise<void> {
  await until(async () => {
    const id = await call(other, 'fine')
    await new Promise((resolve) => setTimeout(resolve, 50))
    return ofType(all, 'ExchangeEnded').some(({ exchange }) => exchange?.id === id)
  }, 20_000)
  for (let calls = 0; calls < 12; calls++) await call(other, 'broken')
  await until(() => ofType(all, 'CircuitChanged').length > 0)
  expect(ofType(all, 'CircuitChanged')[0]).toMatchObject({
    accountId: 'bad',
    dialect: 'chat',
    circuit: 'OPEN',
  })
  expect(await act(other, disable)).toBe('DisableAccountSuccess')
  await until(() => ofType(all, 'AccountChanged').some(({ enabled }) => enabled === false))
  expect(await act(other, enable)).toBe('EnableAccountSuccess')
  const entries = () => ofType(all, 'AuditRecorded').map(({ entry }) => entry)
  for (const action of ['account.disable', 'account.enable']) {
    await until(() => entries().some((one) => one?.action === action && one.result === 'DONE'))
  }
  await until(() => ofType(all, 'PulseSample').length > 0)
}

export function expectClean(all: Following): void {
  expect(all.errors).toEqual([])
  expect(JSON.stringify(all.events)).not.toContain('canary')
}
