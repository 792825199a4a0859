import { expect, test, vi } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'
import { collect } from './collect.ts'

const order = { model: 'sora-2', prompt: 'a cat' }

test('the official client orders a video, waits, fetches it and deletes it', async () => {
  await using sandbox = await startSandbox()
  const { videos } = clientsOf(sandbox).openai
  const ordered = await videos.create({ ...order, seconds: '8', size: '1280x720' })
  expect(ordered).toEqual({
    id: expect.stringMatching(/^video_/),
    object: 'video',
    created_at: expect.any(Number),
    status: 'queued',
    completed_at: null,
    error: null,
    expires_at: null,
    model: 'sora-2',
    progress: 0,
    prompt: 'a cat',
    remixed_from_video_id: null,
    seconds: '8',
    size: '1280x720',
  })
  const first = videos.retrieve(ordered.id).withResponse()
  expect((await first).data).toMatchObject({ status: 'in_progress', progress: 50 })
  expect((await first).response.headers.get('openai-poll-after-ms')).toBe('100')

  const finished = await videos.retrieve(ordered.id)
  expect(finished).toMatchObject({ status: 'completed', progress: 100 })
  expect(finished.expires_at).toBe(finished.completed_at! + 60 * 60)

  const content = Buffer.from(await (await videos.downloadContent(ordered.id)).arrayBuffer())
  expect(content.toString('latin1', 4, 8)).toBe('ftyp')

  expect(await videos.delete(ordered.id)).toEqual({
    id: ordered.id,
    object: 'video.deleted',
    deleted: true,
  })
  await expect(videos.retrieve(ordered.id)).rejects.toMatchObject({ status: 404 })
})

test('a remix takes over all but the prompt', async () => {
  await using sandbox = await startSandbox()
  const { videos } = clientsOf(sandbox).openai
  const source = await videos.create({ ...order, model: 'sandbox/polls=0', seconds: '12' })
  await expect(videos.remix(source.id, { prompt: 'at night' })).rejects.toMatchObject({
    status: 400,
    error: { message: expect.stringContaining('must be completed') },
  })
  await videos.retrieve(source.id)
  expect(await videos.remix(source.id, { prompt: 'at night' })).toMatchObject({
    prompt: 'at night',
    remixed_from_video_id: source.id,
    model: 'sandbox/polls=0',
    seconds: '12',
    status: 'queued',
  })
})

test('lists have pages, newest first unless asked for otherwise', async () => {
  await using sandbox = await startSandbox()
  const { videos } = clientsOf(sandbox).openai
  const ids: string[] = []
  for (const prompt of ['1', '2', '3', '4', '5']) ids.push((await videos.create({ prompt })).id)
  const listed = (query: { limit: number; order?: 'asc' }) => collect(videos.list(query))
  expect((await listed({ limit: 2 })).map(({ id }) => id)).toEqual(ids.toReversed())
  expect((await listed({ limit: 2, order: 'asc' })).map(({ id }) => id)).toEqual(ids)
  const page = await videos.list({ limit: 2, order: 'asc', after: ids[1]! })
  expect(page).toMatchObject({ has_more: true, last_id: ids[3] })
  await expect(videos.list({ after: 'video_none' })).rejects.toMatchObject({ status: 404 })
})

test('videos belong to the account that ordered them', async () => {
  await using sandbox = await startSandbox()
  const { id } = await clientsOf(sandbox).openai.videos.create(order)
  const { videos } = clientsOf(sandbox, 'sandbox-key-b').openai
  const foreign = [
    () => videos.retrieve(id),
    () => videos.delete(id),
    () => videos.remix(id, { prompt: 'x' }),
    () => videos.downloadContent(id),
  ]
  for (const attempt of foreign) await expect(attempt()).rejects.toMatchObject({ status: 404 })
  expect((await videos.list()).data).toEqual([])
})

test('time can pass instead of questions', async () => {
  await using sandbox = await startSandbox()
  const { videos } = clientsOf(sandbox).openai
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const { id } = await videos.create({ ...order, model: 'sandbox/takes=1000' })
    const look = async () => {
      const { status, progress } = await videos.retrieve(id)
      return [status, progress]
    }
    expect(await look()).toEqual(['queued', 0])
    vi.setSystemTime(Date.now() + 250)
    expect([await look(), await look()]).toEqual([
      ['in_progress', 25],
      ['in_progress', 25],
    ])
    vi.setSystemTime(Date.now() + 750)
    expect(await look()).toEqual(['completed', 100])
  } finally {
    vi.useRealTimers()
  }
})
