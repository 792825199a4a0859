import { describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'

/** Orders a video with these directives and asks until it has ended. */
async function endedVideo(sandbox: Sandbox, directives: string): Promise<string> {
  const { videos } = clientsOf(sandbox).openai
  const { id } = await videos.create({ model: `sandbox/${directives}`, prompt: 'a cat' })
  while (['queued', 'in_progress'].includes((await videos.retrieve(id)).status)) continue
  return id
}

function content(sandbox: Sandbox, id: string, query = '', headers: Record<string, string> = {}) {
  return fetch(`${sandbox.url}/v1/videos/${id}/content${query}`, {
    headers: { authorization: 'Bearer sandbox-key-a', ...headers },
  })
}

describe('a job', () => {
  test('fails with the code and the message that were ordered', async () => {
    await using sandbox = await startSandbox()
    const id = await endedVideo(sandbox, 'fails=out_of_film+message=no%20film')
    expect(await clientsOf(sandbox).openai.videos.retrieve(id)).toMatchObject({
      status: 'failed',
      completed_at: null,
      expires_at: null,
      error: { code: 'out_of_film', message: 'no film' },
    })
    expect((await content(sandbox, id)).status).toBe(404)
  })

  test('is blocked where its video is withheld', async () => {
    await using sandbox = await startSandbox()
    const id = await endedVideo(sandbox, 'filtered=1')
    const { error } = await clientsOf(sandbox).openai.videos.retrieve(id)
    expect(error).toMatchObject({ code: 'moderation_blocked' })
  })

  test.each([
    ['pollfail=2', 500],
    ['pollfail=2+pollstatus=404', 404],
  ])('%s: cannot be asked after twice, and goes on', async (directives, status) => {
    await using sandbox = await startSandbox()
    const { videos } = clientsOf(sandbox).openai
    const model = `sandbox/${directives}+polls=0`
    const { id } = await videos.create({ model, prompt: 'a cat' })
    await expect(videos.retrieve(id)).rejects.toMatchObject({ status })
    await expect(videos.retrieve(id)).rejects.toMatchObject({ status })
    expect(await videos.retrieve(id)).toMatchObject({ status: 'completed' })
  })

  test('obeys the header of a later request for that request', async () => {
    await using sandbox = await startSandbox()
    const { videos } = clientsOf(sandbox).openai
    const { id } = await videos.create({ prompt: 'a cat' })
    const steered = { headers: { 'x-sandbox': 'status=503' } }
    await expect(videos.retrieve(id, steered)).rejects.toMatchObject({ status: 503 })
    expect(await videos.retrieve(id)).toMatchObject({ status: 'in_progress' })
  })

  test('is not begun when the order is refused, but is when the answer is lost', async () => {
    await using sandbox = await startSandbox()
    const { videos } = clientsOf(sandbox).openai
    const ordered = (model: string) => videos.create({ model, prompt: 'a cat' })
    for (const refused of ['status=429', 'status=503', 'status=500', 'reset', 'html=502'])
      await expect(ordered(`sandbox/${refused}`)).rejects.toThrow()
    expect((await videos.list()).data).toHaveLength(0)
    await expect(ordered('sandbox/cut=0')).rejects.toThrow()
    expect((await videos.list()).data).toHaveLength(1)
  })
})

describe('the content', () => {
  test('is not there before the end, nor as long as ordered after it', async () => {
    await using sandbox = await startSandbox()
    const { videos } = clientsOf(sandbox).openai
    const { id } = await videos.create({ model: 'sandbox/polls=0+notready=1', prompt: 'a cat' })
    const early = await content(sandbox, id)
    expect(early.status).toBe(404)
    expect(await early.text()).toContain('Video is not ready yet')
    await videos.retrieve(id)
    expect((await content(sandbox, id)).status).toBe(404)
    expect((await content(sandbox, id)).status).toBe(200)
  })

  test('expires, while the job can still be asked after', async () => {
    await using sandbox = await startSandbox()
    const id = await endedVideo(sandbox, 'expires=0')
    expect(await (await content(sandbox, id)).text()).toContain('expired')
    expect(await clientsOf(sandbox).openai.videos.retrieve(id)).toMatchObject({
      status: 'completed',
    })
  })

  test.each([
    ['video', 'video/mp4', 'ftyp'],
    ['thumbnail', 'image/webp', 'RIFF'],
    ['spritesheet', 'image/jpeg', 'JFIF'],
  ])('comes as a %s of type %s', async (variant, type, mark) => {
    await using sandbox = await startSandbox()
    const id = await endedVideo(sandbox, 'polls=0')
    const response = await content(sandbox, id, `?variant=${variant}`)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('content-disposition')).toContain(`filename="${id}.`)
    expect((await response.text()).slice(0, 20)).toContain(mark)
  })

  test('has no other variant', async () => {
    await using sandbox = await startSandbox()
    const id = await endedVideo(sandbox, 'polls=0')
    expect((await content(sandbox, id, '?variant=sound')).status).toBe(400)
  })

  test('comes in ranges', async () => {
    await using sandbox = await startSandbox()
    const id = await endedVideo(sandbox, 'polls=0')
    const whole = Buffer.from(await (await content(sandbox, id)).arrayBuffer())
    const size = whole.length
    const part = async (range: string) => {
      const response = await content(sandbox, id, '', { range })
      const bytes = Buffer.from(await response.arrayBuffer())
      return { status: response.status, range: response.headers.get('content-range'), bytes }
    }
    const partial = (first: number, last: number) => ({
      status: 206,
      range: `bytes ${first}-${last}/${size}`,
      bytes: whole.subarray(first, last + 1),
    })
    expect(await part('bytes=0-9')).toEqual(partial(0, 9))
    expect(await part('bytes=100-')).toEqual(partial(100, size - 1))
    expect(await part('bytes=-10')).toEqual(partial(size - 10, size - 1))
    expect(await part('bytes=10-99999999')).toEqual(partial(10, size - 1))
    expect(await part('bytes=0-1,5-6')).toMatchObject({ status: 200, bytes: whole })
    expect(await part('bytes=9-1')).toMatchObject({ status: 200, bytes: whole })
    expect(await part(`bytes=${size}-`)).toMatchObject({ status: 416, range: `bytes */${size}` })
  })

  test('is as large as ordered, and breaks off where it is told to', async () => {
    await using sandbox = await startSandbox()
    const id = await endedVideo(sandbox, 'polls=0+big=5000000')
    const response = await content(sandbox, id)
    const announced = Number(response.headers.get('content-length'))
    expect(announced).toBeGreaterThanOrEqual(5_000_000)
    expect((await response.arrayBuffer()).byteLength).toBe(announced)
    const broken = await content(sandbox, id, '', { 'x-sandbox': 'cut=1' })
    await expect(broken.arrayBuffer()).rejects.toThrow()
  })
})
