import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { dataOf, openDesk, sandboxAccount } from './desk.ts'

/** A gateway whose account answers polls with `state`, and a video at it. */
async function openStudio(state: () => { status?: number; body?: object }) {
  await using opening = new AsyncDisposableStack()
  const account = opening.use(
    await startFakeAccount((response, request) => {
      const taken = { id: 'vid_1', object: 'video', status: 'queued', progress: 0 }
      if (request.method === 'POST') return answerJson(taken)(response, request)
      const { status = 200, body } = state()
      return answerJson({ ...taken, ...body }, { status })(response, request)
    }),
  )
  const studio = { provider: 'openai', baseUrl: `${account.url}/v1`, speaks: ['videos'] }
  const desk = opening.use(
    await openDesk([sandboxAccount('studio', { ...studio, models: ['camera'] })]),
  )
  const { url, key } = desk.gateway
  const order = async () => {
    const reply = await fetch(`${url}/v1/videos`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'camera', prompt: 'prompt-canary' }),
    })
    return ((await reply.json()) as { id: string }).id.replace(/^video_/, '')
  }
  const opened = opening.move()
  return { ...desk, order, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test('an operator sees the videos of clients, at the gateway and in its store', async () => {
  await using desk = await openStudio(() => ({}))
  const id = await desk.order()
  for (const ask of [desk.remote, desk.local]) {
    const [job, ...more] = dataOf(await ask('jobs list --json')) as { id: string }[]
    expect(more).toEqual([])
    expect(job).toMatchObject({
      id: expect.stringContaining(id.slice(-8)) as string,
      kind: 'VIDEO',
      state: 'QUEUED',
      keyId: 'test',
      accountId: 'studio',
      error: null,
    })
    expect(dataOf(await ask(`jobs show ${job!.id} --json`))).toEqual(job)
    expect(dataOf(await ask(`jobs show ${job!.id} --key test --json`))).toEqual(job)
    const table = (await ask('jobs list --state queued --account studio --key test')).stdout
    expect(table).toMatch(/^ID +KIND +STATE +PROGRESS .*\n\S+ +video +queued +0% +test +studio/)
    expect((await ask('jobs list --state failed')).stderr).toBe('No jobs match.\n')
    const other = await ask(`jobs show ${job!.id} --key other`)
    expect(other.code).toBe(1)
    expect(other.stderr).toContain('There is no job')
    expect((await ask('jobs list')).stdout).not.toContain('canary')
  }
  expect((await desk.remote('jobs list --state done')).code).toBe(2)
})

test('an operator has the account asked for the state of a job', async () => {
  let state: { status?: number; body?: object } = { body: { status: 'in_progress', progress: 40 } }
  await using desk = await openStudio(() => state)
  const id = await desk.order()
  const refreshed = await desk.remote(`jobs refresh ${id} --json`, 'operator')
  expect(dataOf(refreshed)).toMatchObject({ state: 'IN_PROGRESS', progress: 40 })
  state = { status: 500 }
  const stale = await desk.remote(`jobs refresh ${id}`, 'operator')
  expect(stale.code).toBe(1)
  expect(stale.stdout).toMatch(/in_progress +40%/)
  expect(stale.stderr).toContain('the last known state')
})

test('an operator forgets a job', async () => {
  await using desk = await openStudio(() => ({}))
  for (const ask of [desk.remote, desk.local]) {
    const id = await desk.order()
    expect((await ask(`jobs forget ${id}`)).code).toBe(2)
    expect((await ask(`jobs forget ${id} --reason erasure`)).code).toBe(0)
    expect((await ask(`jobs forget ${id} --reason erasure`)).stderr).toMatch(/no job/)
  }
  expect(dataOf(await desk.remote('jobs list --json'))).toEqual([])
  const audit = (await desk.remote('audit export')).stdout
  expect(audit.match(/"job.forget".*"erasure".*"DONE"/g)).toHaveLength(2)
})
